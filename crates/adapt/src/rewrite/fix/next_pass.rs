//! What the next pass would find, told while a pass goes on. A game that the pass does not change is as it was. One of
//! which it changes the root has other findings in its root only, if the other nodes are judged as before. Any other is
//! looked at again.

use crate::check::{AfterRoot, Compared, Finding, InputGames};
use sgfstream::{Code, Event, EventReader, Options, Sink, SliceReader, Span};

use super::{Choice, Repairs, Survey};

/// Follows a pass, and tells what the next one would leave, as long as that would repair nothing.
///
/// ```
/// use sgfstream_adapt::fix::{Choice, NextPass, Repairs, Survey};
/// use sgfstream::{EventReader, Options, SliceReader};
///
/// let mut survey = Survey::new(Choice::default());
/// SliceReader::new(b"(;FF[4]GM[1]KM[6,5];B[aa])").drive(&mut survey)?;
/// let Repairs::Root(19, left) = survey.take_repairs().1 else { panic!("expected repairs of the root") };
/// let mut next = NextPass::new(Choice::default(), Options::default());
/// assert!(next.changes_root(&survey, b"(;FF[4]GM[1]KM[6.5]", &left, |_| {}));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct NextPass {
    choice: Choice,
    options: Options,
    survey: Survey,
    games: InputGames,
    is_part: bool,
    /// No game was compared.
    is_first: bool,
}

impl NextPass {
    /// Before the first game of an input that is read with `options`.
    #[must_use]
    pub fn new(choice: Choice, options: Options) -> Self {
        let (survey, games) = (Survey::new(choice.clone()), InputGames::default());
        Self { survey, choice, options, games, is_part: false, is_first: true }
    }

    /// The same, for a part of an input. A finding that depends on the games before the part has
    /// [`compared`](Finding::compared).
    #[must_use]
    pub fn for_part(mut self) -> Self {
        self.is_part = true;
        self
    }

    /// The pass has not changed the last game of `survey`, and left these findings of it.
    pub fn keeps(&mut self, survey: &Survey, left: &[Finding], mut tell: impl FnMut(&Finding)) {
        left.iter().filter(|finding| !is_compared(finding.code)).for_each(&mut tell);
        self.compare(survey.checker().facts(), &mut tell);
    }

    /// The pass has written `root` for the bytes before the second node of the last game of `survey`, and what comes
    /// before the game. It has changed nothing else, and left these findings after the root. False if the next pass may
    /// repair something, or that is not known.
    pub fn changes_root(
        &mut self,
        survey: &Survey,
        root: &[u8],
        left: &[Finding],
        mut tell: impl FnMut(&Finding),
    ) -> bool {
        let Some((of_root, after_root)) = self.read_root(root) else { return false };
        if survey.after_root() != Some(&after_root) {
            return false;
        }
        self.tell_changed(survey, of_root, &mut tell);
        left.iter().filter(|finding| !is_compared(finding.code)).for_each(&mut tell);
        true
    }

    /// The pass has written `bytes` for the last game of `survey` and what comes before it. False if the next pass may
    /// repair something, or that is not known.
    pub fn changes_game(&mut self, survey: &Survey, bytes: &[u8], mut tell: impl FnMut(&Finding)) -> bool {
        let mut reader = SliceReader::with_options(bytes, self.options);
        let (mut games, mut end) = (0, 0);
        while let Some(event) = reader.next() {
            let place = reader.place();
            _ = self.survey.event(&event, &place);
            if place.depth == 1 {
                match event {
                    Event::VariationStart { .. } => games += 1,
                    Event::VariationEnd { supplied: false } => end = place.span.end,
                    _ => {}
                }
            }
        }
        let is_game = games == 1 && end == bytes.len() as u64 && is_plain(bytes);
        match self.survey.take_repairs().1 {
            Repairs::None(left) if is_game => {
                self.tell_changed(survey, left, &mut tell);
                true
            }
            _ => false,
        }
    }

    /// Tells what is left of what the pass has changed of the last game of `survey`, which is a game of its own in the
    /// survey of this.
    fn tell_changed(&mut self, survey: &Survey, left: Vec<Finding>, tell: &mut impl FnMut(&Finding)) {
        let [number, ..] = survey.checker().facts();
        for mut finding in left.into_iter().filter(|finding| !is_compared(finding.code)) {
            if let Compared::Number(number) = number.1 {
                finding.game = number;
            }
            tell(&finding);
        }
        let [_, version, kind, charset] = self.survey.checker().facts();
        self.compare([number, version, kind, charset], tell);
    }

    /// What is left of a root that has nothing to repair, and what the nodes after it are judged by.
    fn read_root(&mut self, root: &[u8]) -> Option<(Vec<Finding>, AfterRoot)> {
        let bytes = [root, b";)"].concat();
        let mut reader = SliceReader::with_options(&bytes, self.options);
        let mut nodes = 0;
        while let Some(event) = reader.next() {
            let place = reader.place();
            _ = self.survey.event(&event, &place);
            nodes += u64::from(matches!(event, Event::NodeStart { .. }));
            if nodes == 2 {
                let after_root = self.survey.checker().after_root();
                // The root may have become several nodes.
                let is_root = place.span.start == root.len() as u64 && place.depth == 1 && is_plain(root);
                return match self.survey.take_repairs().1 {
                    Repairs::None(left) if is_root => Some((left, after_root?)),
                    _ => None,
                };
            }
        }
        None
    }

    /// Tells in what a game differs from the games before it.
    fn compare(&mut self, facts: [(Code, Compared); 4], tell: &mut impl FnMut(&Finding)) {
        let is_first = std::mem::replace(&mut self.is_first, false);
        for (code, fact) in facts {
            let (severity, message) = (code.severity(), self.games.compare(fact));
            let is_told = match fact {
                Compared::Number(number) if self.is_part => number <= 2,
                _ => message.is_some() || (self.is_part && is_first),
            };
            if is_told && self.choice.wants(code, severity) {
                let (span, path, message) = (Span::default(), String::new(), message.unwrap_or_default());
                let compared = self.is_part.then_some(fact);
                tell(&Finding { code, severity, span, game: 0, path, message, remedy: None, compared });
            }
        }
    }
}

/// True if only blanks come before a game.
fn is_plain(game: &[u8]) -> bool {
    game.trim_ascii_start().first() == Some(&b'(')
}

/// True for the findings that compare a game with those before it, which the pass may have changed.
fn is_compared(code: Code) -> bool {
    matches!(code, Code::SeveralGames | Code::DifferentVersions | Code::DifferentGames | Code::DifferentCharsets)
}
