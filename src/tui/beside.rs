//! Answers about texts that were worked out beside the loop.
//!
//! Owns which question is under way, and the newest answers, so that stepping to and fro costs
//! nothing. Must not know what is asked.

use std::collections::VecDeque;
use std::sync::Arc;

use super::message::Id;

/// Answers that are remembered.
const REMEMBERED: usize = 16;

/// Answers about `N` texts each. Texts are told apart by where they are, not by what they say.
#[derive(Debug, Clone)]
pub struct Beside<const N: usize, A> {
    asked: Option<(Id, [Arc<str>; N])>,
    known: VecDeque<([Arc<str>; N], A)>,
}

impl<const N: usize, A> Default for Beside<N, A> {
    fn default() -> Self {
        Self {
            asked: None,
            known: VecDeque::new(),
        }
    }
}

impl<const N: usize, A> Beside<N, A> {
    /// The answer about `texts`, where it is known.
    #[must_use]
    pub fn answer(&self, texts: [&Arc<str>; N]) -> Option<&A> {
        let same = |known: &[Arc<str>; N]| {
            known
                .iter()
                .zip(texts)
                .all(|(known, text)| Arc::ptr_eq(known, text))
        };
        let known = self.known.iter().find(|(known, _)| same(known));
        known.map(|(_, answer)| answer)
    }

    /// Whether `texts` are to be asked about now: nothing is under way, and it isn't known.
    #[must_use]
    pub fn wants(&self, texts: [&Arc<str>; N]) -> bool {
        self.asked.is_none() && self.answer(texts).is_none()
    }

    /// The question `id` about `texts` is under way.
    pub fn ask(&mut self, id: Id, texts: [Arc<str>; N]) {
        self.asked = Some((id, texts));
    }

    /// Whether the question `id` is under way.
    #[must_use]
    pub fn is_asked(&self, id: Id) -> bool {
        self.asked.as_ref().is_some_and(|(own, _)| *own == id)
    }

    /// Takes the answer to the question `id`; one that nobody waits for is dropped.
    pub fn take(&mut self, id: Id, answer: A) {
        if let Some((_, texts)) = self.asked.take_if(|(own, _)| *own == id) {
            self.know(texts, answer);
        }
    }

    /// Remembers the answer about `texts`.
    pub fn know(&mut self, texts: [Arc<str>; N], answer: A) {
        if self.known.len() == REMEMBERED {
            self.known.pop_front();
        }
        self.known.push_back((texts, answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_question_at_a_time_and_late_answers_are_dropped() {
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let mut beside: Beside<2, u8> = Beside::default();
        assert!(beside.wants([&a, &b]));
        beside.ask(Id(1), [Arc::clone(&a), Arc::clone(&b)]);
        assert!(!beside.wants([&b, &a]));
        beside.take(Id(7), 9);
        assert_eq!(beside.answer([&a, &b]), None);
        beside.take(Id(1), 1);
        beside.take(Id(1), 2);
        assert_eq!(beside.answer([&a, &b]), Some(&1));
        assert!(beside.wants([&b, &a]) && !beside.wants([&a, &b]));
    }

    #[test]
    fn the_oldest_answer_is_forgotten_first() {
        let texts: Vec<Arc<str>> = (0..=REMEMBERED).map(|n| n.to_string().into()).collect();
        let mut beside = Beside::default();
        for (n, text) in texts.iter().enumerate() {
            beside.ask(Id(n as u64), [Arc::clone(text)]);
            beside.take(Id(n as u64), n);
        }
        assert_eq!(beside.answer([&texts[0]]), None);
        assert_eq!(beside.answer([&texts[1]]), Some(&1));
    }
}
