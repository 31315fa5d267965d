//! How things look: styles by meaning and the symbols of states.
//!
//! Owns every colour and every picture of the screen. The sixteen ANSI colours only, so that the
//! operator's own palette decides; where there is none, bold, underline, dim and reverse tell states
//! apart beside their symbols. Must not know what is drawn with them.

use ratatui::style::{Color, Modifier, Style};

use super::json_tokens::Token;
use super::keys::Key;

/// Which colours mean what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// For a dark background.
    Dark,
    /// For a light one: nothing in yellow or in a bright colour.
    Light,
    /// Without colours.
    Mono,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Mono];

    /// What the configuration calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Mono => "mono",
        }
    }
}

/// What the terminal can show. Decided once, at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Which colours mean what.
    pub theme: Theme,
    /// Whether there are characters beyond ASCII.
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
    /// What is meant stands above it.
    pub pointer: &'static str,
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
    pointer: "▲",
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
    pointer: "^",
};

impl Look {
    /// From the environment: `NO_COLOR` and `TERM`, what some terminals say of their background
    /// (`COLORFGBG`), and the locale, in the order POSIX reads it.
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
        let theme = if set("NO_COLOR").is_some() || dumb {
            Theme::Mono
        } else if set("COLORFGBG").is_some_and(|colours| is_light(&colours)) {
            Theme::Light
        } else {
            Theme::Dark
        };
        Self {
            theme,
            unicode: locale.is_some_and(utf8),
        }
    }

    /// The look that the operator chose over what the environment says. Where that says that there
    /// are no colours, there are none.
    #[must_use]
    pub fn chosen(self, theme: Option<Theme>, ascii: Option<bool>) -> Self {
        let theme = theme.filter(|_| self.theme != Theme::Mono);
        Self {
            theme: theme.unwrap_or(self.theme),
            unicode: ascii.map_or(self.unicode, |ascii| !ascii),
        }
    }

    /// The pictures to use.
    #[must_use]
    pub fn symbols(self) -> &'static Symbols {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    /// The name of a key; arrows by their words where there is only ASCII.
    #[must_use]
    pub fn key(self, key: Key) -> String {
        let name = key.to_string();
        if self.unicode {
            return name;
        }
        [("←", "Left"), ("→", "Right"), ("↑", "Up"), ("↓", "Down")]
            .iter()
            .fold(name, |name, (arrow, word)| name.replace(arrow, word))
    }

    /// Where the focus is, and what can be pressed.
    #[must_use]
    pub fn accent(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Cyan),
            Theme::Light => Style::new().fg(Color::Blue),
            Theme::Mono => Style::new().bold(),
        }
    }

    /// What went well.
    #[must_use]
    pub fn ok(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Green),
            Theme::Light => Style::new().fg(Color::Green),
            Theme::Mono => Style::new().bold(),
        }
    }

    /// What is worth a look.
    #[must_use]
    pub fn warn(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Yellow),
            Theme::Light => Style::new().fg(Color::Magenta),
            Theme::Mono => Style::new().underlined(),
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn error(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Red),
            Theme::Light => Style::new().fg(Color::Red),
            Theme::Mono => Style::new().bold().underlined(),
        }
    }

    /// What may be overlooked.
    #[must_use]
    pub fn muted(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::DarkGray),
            Theme::Light => Style::new().fg(Color::DarkGray),
            Theme::Mono => Style::new().dim(),
        }
    }

    /// What the condition matched.
    #[must_use]
    pub fn matched(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Black).bg(Color::Green),
            Theme::Light => Style::new().fg(Color::Black).bg(Color::Green),
            Theme::Mono => Style::new().reversed(),
        }
    }

    /// What `fail_when` matched.
    #[must_use]
    pub fn fail_matched(self) -> Style {
        match self.theme {
            Theme::Dark => Style::new().fg(Color::Black).bg(Color::Red),
            Theme::Light => Style::new().fg(Color::White).bg(Color::Red),
            Theme::Mono => Style::new().reversed().underlined(),
        }
    }

    /// A part of JSON; nothing without colours, since its own signs tell it.
    #[must_use]
    pub fn token(self, token: Token) -> Style {
        let colour = match (token, self.theme) {
            (_, Theme::Mono) => return Style::new(),
            (Token::Key, Theme::Dark) => Color::Cyan,
            (Token::Key, Theme::Light) => Color::Blue,
            (Token::Number | Token::Literal, _) => Color::Magenta,
            (Token::Punctuation, _) => Color::DarkGray,
        };
        Style::new().fg(colour)
    }

    /// What is left out when outputs are compared.
    #[must_use]
    pub fn left_out(self) -> Style {
        self.muted().add_modifier(Modifier::CROSSED_OUT)
    }

    /// What a search found.
    #[must_use]
    pub fn found(self) -> Style {
        match self.theme {
            Theme::Dark | Theme::Light => Style::new().fg(Color::Black).bg(Color::Yellow),
            Theme::Mono => Style::new().underlined(),
        }
    }

    /// The match that was stepped to, on top of its own style.
    #[must_use]
    pub fn here(self) -> Style {
        let style = match self.theme {
            Theme::Dark => Style::new().fg(Color::Black).bg(Color::Cyan),
            Theme::Light => Style::new().fg(Color::White).bg(Color::Blue),
            Theme::Mono => Style::new().reversed(),
        };
        style.bold()
    }

    /// The line or the option that is selected.
    #[must_use]
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A whole line that is selected. It has one look, whatever colours its words had: reversed, each
    /// would be a block of its own.
    #[must_use]
    pub fn selected_line(self) -> Style {
        let plain = Style::new().fg(Color::Reset).bg(Color::Reset);
        plain.patch(self.selected())
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
}

/// Whether `COLORFGBG`, the numbers of two colours, has a light background.
fn is_light(colours: &str) -> bool {
    let background = colours.rsplit(';').next().unwrap_or_default();
    matches!(background.parse(), Ok(7 | 9..=15))
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
        assert_eq!(look(&[]).theme, Theme::Dark);
        assert_eq!(look(&[("NO_COLOR", "")]).theme, Theme::Dark);
        assert_eq!(look(&[("NO_COLOR", "1")]).theme, Theme::Mono);
        assert_eq!(look(&[("TERM", "dumb")]).theme, Theme::Mono);
    }

    #[test]
    fn a_terminal_may_say_that_it_is_light() {
        for (colours, theme) in [
            ("0;15", Theme::Light),
            ("0;default;7", Theme::Light),
            ("15;0", Theme::Dark),
            ("15;8", Theme::Dark),
            ("12;default", Theme::Dark),
        ] {
            assert_eq!(look(&[("COLORFGBG", colours)]).theme, theme, "{colours}");
        }
    }

    #[test]
    fn what_is_chosen_goes_over_the_environment_but_not_over_no_color() {
        let light = look(&[("LANG", "C")]).chosen(Some(Theme::Light), Some(false));
        assert_eq!((light.theme, light.unicode), (Theme::Light, true));
        let mono = look(&[("NO_COLOR", "1"), ("LANG", "C.UTF-8")]).chosen(Some(Theme::Light), None);
        assert_eq!((mono.theme, mono.unicode), (Theme::Mono, true));
    }

    fn styles(theme: Theme) -> [Style; 11] {
        let look = Look {
            theme,
            unicode: true,
        };
        [
            look.accent(),
            look.ok(),
            look.warn(),
            look.error(),
            look.muted(),
            look.matched(),
            look.fail_matched(),
            look.found(),
            look.here(),
            look.selected(),
            look.strong(),
        ]
    }

    #[test]
    fn without_colours_modifiers_tell_apart_what_no_symbol_does() {
        for style in styles(Theme::Mono) {
            assert_eq!((style.fg, style.bg), (None, None));
            assert!(!style.add_modifier.is_empty());
        }
        let look = Look {
            theme: Theme::Mono,
            unicode: true,
        };
        // A fault, a warning and a hint are sentences; what two patterns matched is text.
        assert_ne!(look.error(), look.warn());
        assert_ne!(look.error(), look.ok());
        assert_ne!(look.warn(), look.muted());
        assert_ne!(look.matched(), look.fail_matched());
        assert_ne!(look.matched(), look.warn());
    }

    #[test]
    fn colours_are_the_sixteen_and_a_light_background_has_none_that_vanishes() {
        let vanishing = [
            Color::White,
            Color::Gray,
            Color::Yellow,
            Color::LightRed,
            Color::LightGreen,
            Color::LightYellow,
            Color::LightBlue,
            Color::LightMagenta,
            Color::LightCyan,
        ];
        for theme in Theme::ALL {
            for style in styles(theme) {
                for colour in [style.fg, style.bg].into_iter().flatten() {
                    assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)));
                }
                let bare = style.bg.is_none();
                if let (Theme::Light, true, Some(colour)) = (theme, bare, style.fg) {
                    assert!(!vanishing.contains(&colour), "{colour}");
                }
            }
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
