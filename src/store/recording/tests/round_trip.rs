//! A recording → events → recording is the identity, and nothing in a file is a panic.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::wait::{AfterSleep, Note};

/// Steps of a wait, before its samples have numbers.
#[derive(Debug, Clone)]
enum Step {
    Text(String, bool),
    TooLarge(usize),
    LeftOut(usize),
    Fails(String),
    Note(Note),
    Sleeps(AfterSleep),
    Round(u64),
    Ends(String),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let text = prop_oneof![Just("web 1/3".to_owned()), any::<String>()];
    let number = (-1_000_000i32..1_000_000).prop_map(|number| f64::from(number) / 8.0);
    let note = prop_oneof![
        Just(Note::Reconnecting),
        Just(Note::Reconnected),
        (any::<String>(), any::<String>()).prop_map(|(level, text)| Note::Log { level, text }),
        (
            number.clone(),
            proptest::option::of(number),
            proptest::option::of(any::<String>())
        )
            .prop_map(|(progress, total, message)| Note::Progress {
                progress,
                total,
                message
            }),
    ];
    let then = prop_oneof![
        Just(AfterSleep::Sample),
        Just(AfterSleep::LastLook),
        Just(AfterSleep::BudgetEnds)
    ];
    let step = prop_oneof![
        4 => (text.clone(), any::<bool>()).prop_map(|(text, error)| Step::Text(text, error)),
        1 => any::<usize>().prop_map(Step::TooLarge),
        1 => any::<usize>().prop_map(Step::LeftOut),
        1 => any::<String>().prop_map(Step::Fails),
        1 => note.prop_map(Step::Note),
        1 => then.prop_map(Step::Sleeps),
        1 => (0u64..=300).prop_map(Step::Round),
        1 => text.prop_map(Step::Ends),
    ];
    proptest::collection::vec(step, 0..30)
}

fn events(steps: Vec<Step>, micros: &[u32]) -> Vec<Event> {
    let mut first: HashMap<String, (u64, Arc<str>)> = HashMap::new();
    let mut times = micros.iter().cycle();
    let mut time = || {
        Millis(std::time::Duration::from_micros(u64::from(
            *times.next().unwrap(),
        )))
    };
    let mut story = vec![Event::WaitStarted(header())];
    for (number, step) in (1u64..).zip(steps) {
        let (at_ms, latency_ms) = (time(), time());
        let sampled = |bytes, tool_error, same_as, text_left_out, text| {
            Event::Sample(Sample {
                sample: number,
                at_ms,
                latency_ms,
                bytes,
                tool_error,
                same_as,
                text_left_out,
                text,
            })
        };
        story.push(match step {
            Step::Text(text, tool_error) => {
                let known = first.get(&text).cloned();
                let own = || (number, Arc::from(text.as_str()));
                let (origin, shared) = known.clone().unwrap_or_else(own);
                first.insert(text, (origin, Arc::clone(&shared)));
                let same_as = known.map(|_| origin);
                sampled(shared.len(), tool_error, same_as, false, Some(shared))
            }
            Step::TooLarge(bytes) => sampled(bytes, false, None, false, None),
            Step::LeftOut(bytes) => sampled(bytes, false, None, true, None),
            Step::Fails(cause) => Event::SampleFailed {
                sample: number,
                at_ms,
                latency_ms,
                cause,
                hopeless: number.is_multiple_of(2),
            },
            Step::Note(note) => Event::Note {
                sample: number,
                at_ms,
                note,
            },
            Step::Sleeps(then) => Event::Sleeping {
                at_ms,
                for_ms: latency_ms,
                then,
            },
            Step::Round(effective_max_wait_sec) => Event::RoundStarted {
                round: 1,
                at_ms,
                effective_max_wait_sec,
            },
            Step::Ends(text) => end(&text),
        });
    }
    story
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_recording_read_and_recorded_again_is_the_same_to_the_byte(
        steps in steps(),
        micros in proptest::collection::vec(any::<u32>(), 1..50),
    ) {
        let told = events(steps, &micros);
        let (_folder, path, bytes) = recorded(&told);
        let read = rest(&mut RecordingReader::open(&path).unwrap());
        prop_assert_eq!(&read, &told);
        let (_again, _, again) = recorded(&read);
        prop_assert_eq!(again, bytes);
    }

    #[test]
    fn garbage_is_no_panic(
        garbage in proptest::collection::vec(any::<u8>(), 0..200),
        at in any::<prop::sample::Index>(),
    ) {
        let (_other, _, mut bytes) = recorded(&story());
        let at = at.index(bytes.len());
        let until = (at + garbage.len()).min(bytes.len());
        bytes.splice(at..until, garbage);
        let (_folder, path) = super::file(&bytes);
        let summary = RecordingSummary::of(&path);
        if let Ok(mut reader) = RecordingReader::open(&path) {
            prop_assert!(summary.is_ok());
            while let Ok(Some(event)) = reader.next_event() {
                if let Event::Sample(sample) = event {
                    let again = reader.texts().text(sample.sample);
                    prop_assert!(again.is_some() || sample.text.is_none());
                }
            }
        } else {
            prop_assert!(summary.is_err());
        }
    }
}
