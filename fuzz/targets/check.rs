//! The checker says what it says of bytes that are there, with a path and a
//! message, in bounded memory.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sgfstream::adapt::check::{CheckOptions, Checker, SourceWindow};
use sgfstream::{Reader, Severity};

fuzz_target!(|data: &[u8]| {
    for legality in [false, true] {
        let trail = SourceWindow::default();
        let mut count = 0usize;
        let options = CheckOptions::default().with_legality(legality);
        let mut checker = Checker::new(options, |finding| {
            count += 1;
            let span = finding.span;
            assert!(span.start <= span.end && span.end <= data.len() as u64, "{finding} at {span}");
            assert!(finding.severity >= Severity::Note && !finding.message.is_empty());
            assert_eq!(finding.path.is_empty(), finding.game == 0 || !finding.path.contains('/'), "{finding:?}");
            let position = trail.position_of(span.start);
            assert!(position.byte == span.start && position.line >= 1 && position.column >= 1);
            assert_eq!(trail.bytes_of(span).as_deref(), data.get(span.start as usize..span.end as usize));
            let line = trail.line_of(span).expect("kept");
            assert!(line.span.end <= line.bytes.len() as u64);
            if let Some(remedy) = &finding.remedy {
                assert!(!remedy.to_string().is_empty());
            }
        });
        let mut reader = Reader::new(trail.follow(data));
        reader.drive(&mut checker).expect("memory can be read");
        drop(checker);
        assert!(count <= 40 + 8 * data.len(), "{count} findings in {} bytes", data.len());
    }
});
