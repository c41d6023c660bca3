//! Parses results in the spellings of Chinese, Japanese and Korean sites.

use super::words::{amount, asian_points, has_komi, has_numeral};
use super::{Color, GameResult, Margin, Real};

impl GameResult {
    /// Parses a Korean result: `흑불계승`, `백 3집반승`, `흑 시간패`, `무승부`.
    pub(super) fn in_korean(text: &str) -> Option<Self> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        // `302수 백3.5집승`: the number of moves comes first.
        let compact = match compact.split_once('수') {
            Some((moves, rest)) if moves.bytes().all(|byte| byte.is_ascii_digit()) => rest,
            _ => &compact,
        };
        let compact = compact.trim_end_matches('.');
        if matches!(compact, "무승부" | "빅") {
            return Some(Self::Draw);
        }
        let (named, rest) = match compact.strip_prefix('흑') {
            Some(rest) => (Color::Black, rest),
            None => (Color::White, compact.strip_prefix('백')?),
        };
        let (rest, winner) = match rest.strip_suffix('승') {
            Some(rest) => (rest, named),
            None => (rest.strip_suffix('패')?, named.other()),
        };
        let margin = match rest {
            "" => Margin::NotGiven,
            "불계" => Margin::Resign,
            "시간" => Margin::Time,
            points => Margin::Score(Real::new(asian_points(points)?)?),
        };
        Some(Self::Win { winner, margin })
    }

    /// Parses a Chinese or Japanese result: `黑中盘胜`, `白胜1.5目`, `黒半目勝ち`, `和棋`, `無勝負`.
    pub(super) fn in_chinese(text: &str) -> Option<Self> {
        let says = |any: &[&str]| any.iter().any(|part| text.contains(part));
        if says(&["和棋", "持碁", "ジゴ", "平局"]) {
            return Some(Self::Draw);
        }
        if matches!(text.trim_end_matches(['。', '.']), "無勝負" | "无胜负") {
            return Some(Self::Void);
        }
        // "Has not won" does not mean "has lost". `不计点胜` is a win whose points were not counted.
        let is_denied = text
            .replace("不计点", "")
            .replace("不計点", "")
            .replace("不計點", "")
            .contains(['不', '未', '没', '沒']);
        if is_denied {
            return None;
        }
        // `黑胜白` means that Black has beaten White.
        match text.trim_end_matches(['。', '.']) {
            "黑胜白" | "黑勝白" | "黒勝白" => {
                return Some(Self::Win {
                    winner: Color::Black,
                    margin: Margin::NotGiven,
                });
            }
            "白胜黑" | "白勝黑" | "白勝黒" => {
                return Some(Self::Win {
                    winner: Color::White,
                    margin: Margin::NotGiven,
                });
            }
            _ => {}
        }
        let named = match (says(&["黑", "黒"]), says(&["白"])) {
            (true, false) => Color::Black,
            (false, true) => Color::White,
            _ => return None,
        };
        let winner = match (says(&["胜", "勝"]), says(&["负", "負", "败", "敗"])) {
            (true, false) => named,
            (false, true) => named.other(),
            _ => return None,
        };
        let margin = if has_komi(text) {
            // The points in such a text are the komi, not the margin.
            Margin::NotGiven
        } else if says(&["中盘", "中盤", "中押", "认输", "投了"]) {
            Margin::Resign
        } else if says(&["超时", "超時", "時間切", "时间"]) {
            Margin::Time
        } else {
            let points: String = text
                .chars()
                .filter(|c| !"黑黒白方番は胜勝ち负負败敗け。".contains(*c))
                .collect();
            let text = text.replace('半', " half ");
            // `六目半` is not half a point.
            let points = if has_numeral(&text) {
                asian_points(&points)
            } else {
                amount(&text)
            };
            // `子` counts stones of two points each, or points. The text does not say which, so the
            // margin stays open.
            let points = points.filter(|_| !text.contains('子'));
            points
                .and_then(Real::new)
                .map_or(Margin::NotGiven, Margin::Score)
        };
        Some(Self::Win { winner, margin })
    }
}
