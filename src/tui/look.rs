//! How things look: styles by meaning and the symbols of states.
//!
//! Owns every colour and every picture of the screen. The sixteen ANSI colours only, so that the
//! operator's own palette decides; where there is none, bold, dim and reverse tell states apart
//! beside their symbols. Must not know what is drawn with them.

use ratatui::style::{Color, Modifier, Style};

/// What the terminal can show. Decided once, at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours may be used.
    pub colour: bool,
    /// Whether the locale has more than ASCII.
    pub unicode: bool,
}

/// What a sentence is about to say, for its colour and its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Neither good nor bad.
    Plain,
    /// It went well.
    Ok,
    /// Worth a look.
    Warn,
    /// It went wrong.
    Error,
}

/// The pictures of states.
#[derive(Debug, PartialEq, Eq)]
pub struct Symbols {
    /// A sample equal to the one before.
    pub same: &'static str,
    /// A sample that changed.
    pub changed: &'static str,
    /// A tool error.
    pub tool_error: &'static str,
    /// A sample without an observation.
    pub failed: &'static str,
    /// The sample that met the condition.
    pub matched: &'static str,
    /// A server that is connected.
    pub connected: &'static str,
    /// A server that is being connected to.
    pub connecting: &'static str,
    /// A server that ended its connection.
    pub lost: &'static str,
    /// A server that needs an answer first.
    pub asks: &'static str,
    /// A server that can't be used.
    pub off: &'static str,
    /// A wait that runs.
    pub running: &'static str,
    /// A wait that was met.
    pub met: &'static str,
    /// A wait that was not met.
    pub unmet: &'static str,
    /// A message to a server.
    pub sent: &'static str,
    /// A message from a server.
    pub received: &'static str,
    /// Between a server and its tool, and at the selected line.
    pub arrow: &'static str,
    /// What is on the Bench, in a list.
    pub on_bench: &'static str,
    /// A chosen option.
    pub chosen: &'static str,
    /// An option that is not chosen.
    pub other: &'static str,
    /// The used part of a gauge.
    pub gauge_full: &'static str,
    /// Half a cell of it.
    pub gauge_half: &'static str,
    /// The rest of a gauge.
    pub gauge_rest: &'static str,
    /// Heights of a sparkline, the lowest first.
    pub heights: [&'static str; 8],
    /// A line goes on beyond the edge.
    pub cut: &'static str,
    /// A group that is folded.
    pub folded: &'static str,
    /// A group that is open.
    pub unfolded: &'static str,
    /// Between parts of a title.
    pub dot: &'static str,
}

const UNICODE: Symbols = Symbols {
    same: "·",
    changed: "◆",
    tool_error: "!",
    failed: "×",
    matched: "✔",
    connected: "●",
    connecting: "○",
    lost: "!",
    asks: "?",
    off: "–",
    running: "●",
    met: "✔",
    unmet: "✖",
    sent: "→",
    received: "←",
    arrow: "▸",
    on_bench: "•",
    chosen: "(•)",
    other: "( )",
    gauge_full: "█",
    gauge_half: "▌",
    gauge_rest: "─",
    heights: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    cut: "›",
    folded: "▸",
    unfolded: "▾",
    dot: "·",
};

const ASCII: Symbols = Symbols {
    same: ".",
    changed: "*",
    tool_error: "!",
    failed: "x",
    matched: "M",
    connected: "*",
    connecting: "o",
    lost: "!",
    asks: "?",
    off: "-",
    running: "o",
    met: "+",
    unmet: "x",
    sent: ">",
    received: "<",
    arrow: ">",
    on_bench: "*",
    chosen: "(*)",
    other: "( )",
    gauge_full: "#",
    gauge_half: "=",
    gauge_rest: "-",
    heights: ["_", ".", "-", "=", "+", "*", "%", "#"],
    cut: ">",
    folded: "+",
    unfolded: "-",
    dot: "-",
};

impl Look {
    /// From the environment: `NO_COLOR`, `TERM` and the locale, in the order POSIX reads it.
    #[must_use]
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = set("LC_ALL")
            .or_else(|| set("LC_CTYPE"))
            .or_else(|| set("LANG"));
        let utf8 = |locale: String| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        Self {
            colour: set("NO_COLOR").is_none() && !dumb,
            unicode: locale.is_some_and(utf8),
        }
    }

    /// The pictures to use.
    #[must_use]
    pub fn symbols(self) -> &'static Symbols {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    /// Where the focus is, and what can be pressed.
    #[must_use]
    pub fn accent(self) -> Style {
        self.pick(
            Style::new().fg(Color::Cyan),
            Style::new().add_modifier(Modifier::BOLD),
        )
    }

    /// What went well.
    #[must_use]
    pub fn ok(self) -> Style {
        self.pick(
            Style::new().fg(Color::Green),
            Style::new().add_modifier(Modifier::BOLD),
        )
    }

    /// What is worth a look.
    #[must_use]
    pub fn warn(self) -> Style {
        self.pick(
            Style::new().fg(Color::Yellow),
            Style::new().add_modifier(Modifier::BOLD),
        )
    }

    /// What went wrong.
    #[must_use]
    pub fn error(self) -> Style {
        self.pick(
            Style::new().fg(Color::Red),
            Style::new().add_modifier(Modifier::BOLD),
        )
    }

    /// What may be overlooked.
    #[must_use]
    pub fn muted(self) -> Style {
        self.pick(
            Style::new().fg(Color::DarkGray),
            Style::new().add_modifier(Modifier::DIM),
        )
    }

    /// What the condition matched.
    #[must_use]
    pub fn matched(self) -> Style {
        self.pick(
            Style::new().fg(Color::Black).bg(Color::Green),
            Style::new().add_modifier(Modifier::REVERSED),
        )
    }

    /// What `fail_when` matched.
    #[must_use]
    pub fn fail_matched(self) -> Style {
        self.pick(
            Style::new().fg(Color::Black).bg(Color::Red),
            Style::new().add_modifier(Modifier::REVERSED.union(Modifier::UNDERLINED)),
        )
    }

    /// The line or the option that is selected.
    #[must_use]
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A heading.
    #[must_use]
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of a sentence.
    #[must_use]
    pub fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Plain => Style::new(),
            Tone::Ok => self.ok(),
            Tone::Warn => self.warn(),
            Tone::Error => self.error(),
        }
    }

    fn pick(self, coloured: Style, plain: Style) -> Style {
        if self.colour { coloured } else { plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(pairs: &[(&str, &str)]) -> Look {
        Look::from_environment(&|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        assert!(look(&[("LANG", "en_GB.UTF-8")]).unicode);
        assert!(look(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]).unicode);
        assert!(!look(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]).unicode);
        assert!(!look(&[]).unicode);
    }

    #[test]
    fn no_color_counts_only_when_it_says_something() {
        assert!(look(&[]).colour);
        assert!(look(&[("NO_COLOR", "")]).colour);
        assert!(!look(&[("NO_COLOR", "1")]).colour);
        assert!(!look(&[("TERM", "dumb")]).colour);
    }

    #[test]
    fn without_colours_no_style_has_one() {
        let look = Look {
            colour: false,
            unicode: true,
        };
        for style in [
            look.accent(),
            look.ok(),
            look.warn(),
            look.error(),
            look.muted(),
            look.matched(),
            look.fail_matched(),
        ] {
            assert_eq!((style.fg, style.bg), (None, None));
            assert!(!style.add_modifier.is_empty());
        }
    }

    #[test]
    fn the_states_of_a_sample_have_symbols_of_their_own() {
        for symbols in [&UNICODE, &ASCII] {
            let states = [
                symbols.same,
                symbols.changed,
                symbols.tool_error,
                symbols.failed,
                symbols.matched,
            ];
            for (index, state) in states.iter().enumerate() {
                assert!(
                    !states[..index].contains(state),
                    "{state} stands for two states"
                );
            }
        }
        assert!(ASCII.gauge_full.is_ascii() && ASCII.arrow.is_ascii());
    }
}
