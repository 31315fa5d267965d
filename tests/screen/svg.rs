//! A drawing as SVG: the cells of a buffer with their colours, in a monospace font.

use std::collections::BTreeMap;
use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Cells, in pixels.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 17.0;
const FONT: f32 = 14.0;
/// Room around the cells.
const MARGIN: f32 = 10.0;

const FONTS: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/// The bars that grow from below, the lowest first, and the one that is half a cell wide.
const BARS: &str = "▁▂▃▄▅▆▇█▌";
const STYLES: [(Modifier, &str); 5] = [
    (Modifier::BOLD, r#" font-weight="bold""#),
    (Modifier::DIM, r#" opacity="0.6""#),
    (Modifier::ITALIC, r#" font-style="italic""#),
    (Modifier::UNDERLINED, r#" text-decoration="underline""#),
    (Modifier::CROSSED_OUT, r#" text-decoration="line-through""#),
];

/// A terminal's palette: foreground, background, and the sixteen colours in their order.
pub struct Palette {
    pub foreground: &'static str,
    pub background: &'static str,
    pub colours: [&'static str; 16],
}

pub const DARK: Palette = Palette {
    foreground: "#d1d7e0",
    background: "#151b23",
    colours: [
        "#2f3742", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#b7bdc8",
        "#7d8590", "#ffa198", "#7ee787", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#f0f6fc",
    ],
};

pub const LIGHT: Palette = Palette {
    foreground: "#1f2328",
    background: "#ffffff",
    colours: [
        "#24292f", "#cf222e", "#1f883d", "#8a5d00", "#0969da", "#8250df", "#1b7c83", "#59636e",
        "#6e7781", "#a40e26", "#1a7f37", "#633c01", "#218bff", "#a475f9", "#3192aa", "#d1d9e0",
    ],
};

/// How a run of cells looks.
#[derive(Clone, Copy, PartialEq)]
struct Ink<'p> {
    foreground: &'p str,
    background: Option<&'p str>,
    modifier: Modifier,
}

impl Palette {
    fn ink(&self, cell: &Cell) -> Ink<'_> {
        let (mut foreground, mut background) = (self.colour(cell.fg), self.colour(cell.bg));
        if cell.modifier.contains(Modifier::REVERSED) {
            (foreground, background) = (background, foreground);
            foreground = foreground.or(Some(self.background));
            background = background.or(Some(self.foreground));
        }
        Ink {
            foreground: foreground.unwrap_or(self.foreground),
            background,
            modifier: cell.modifier - Modifier::REVERSED,
        }
    }

    fn colour(&self, colour: Color) -> Option<&'static str> {
        use Color::{
            Black, Blue, Cyan, DarkGray, Gray, Green, LightBlue, LightCyan, LightGreen,
            LightMagenta, LightRed, LightYellow, Magenta, Red, Reset, White, Yellow,
        };
        let all = [
            Black,
            Red,
            Green,
            Yellow,
            Blue,
            Magenta,
            Cyan,
            Gray,
            DarkGray,
            LightRed,
            LightGreen,
            LightYellow,
            LightBlue,
            LightMagenta,
            LightCyan,
            White,
        ];
        let place = all.iter().position(|own| *own == colour);
        assert!(
            place.is_some() || colour == Reset,
            "{colour} is none of the sixteen colours"
        );
        place.map(|place| self.colours[place])
    }
}

/// The drawing, with the cursor where there is one.
pub fn svg(title: &str, buffer: &Buffer, cursor: Option<(u16, u16)>, palette: &Palette) -> String {
    let area = buffer.area;
    let width = f32::from(area.width) * WIDTH + 2.0 * MARGIN;
    let height = f32::from(area.height) * HEIGHT + 2.0 * MARGIN;
    let mut layers = Layers::default();
    for y in 0..area.height {
        layers.row(buffer, y, palette);
    }
    if let Some((x, y)) = cursor {
        let place = (left(x), top(y));
        rect(&mut layers.shapes, place, (1.6, HEIGHT), palette.foreground);
    }
    let background = palette.background;
    let lines: String = layers
        .lines
        .iter()
        .map(|(colour, path)| format!("<path d=\"{path}\" stroke=\"{colour}\"/>\n"))
        .collect();
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" role="img">
<title>{title}</title>
<rect width="100%" height="100%" rx="8" fill="{background}"/>
<g shape-rendering="crispEdges">
{}</g>
{lines}<g font-family="{FONTS}" font-size="{FONT}" style="white-space:pre" xml:space="preserve">
{}</g>
</svg>
"#,
        layers.shapes, layers.words
    )
}

/// What is drawn, from below to the top.
#[derive(Default)]
struct Layers<'p> {
    /// Backgrounds and bars.
    shapes: String,
    /// Frames, a path a colour.
    lines: BTreeMap<&'p str, String>,
    words: String,
}

impl<'p> Layers<'p> {
    /// A row of cells, in runs of one look.
    fn row(&mut self, buffer: &Buffer, y: u16, palette: &'p Palette) {
        let mut run: Option<(u16, u16, String, Ink<'p>)> = None;
        let mut x = 0;
        while x < buffer.area.width {
            let cell = &buffer[(x, y)];
            let (symbol, ink) = (cell.symbol(), palette.ink(cell));
            let end = x + u16::try_from(symbol.width().max(1)).unwrap();
            let word = if self.line(symbol, (x, y), ink) {
                " "
            } else {
                symbol
            };
            match &mut run {
                Some((_, own_end, text, own)) if *own == ink => {
                    text.push_str(word);
                    *own_end = end;
                }
                _ => {
                    self.run(run.take(), y);
                    run = Some((x, end, word.to_owned(), ink));
                }
            }
            x = end;
        }
        self.run(run, y);
    }

    fn run(&mut self, run: Option<(u16, u16, String, Ink<'p>)>, y: u16) {
        let Some((start, end, text, ink)) = run else {
            return;
        };
        if let Some(colour) = ink.background {
            let size = (f32::from(end - start) * WIDTH, HEIGHT);
            rect(&mut self.shapes, (left(start), top(y)), size, colour);
        }
        self.bars(start, y, &text, ink);
        let text = text.replace(|letter| BARS.contains(letter), " ");
        let lead = text.len() - text.trim_start_matches(' ').len();
        let text = text.trim_matches(' ');
        if text.is_empty() {
            return;
        }
        let styles: String = STYLES
            .iter()
            .filter(|(modifier, _)| ink.modifier.contains(*modifier))
            .map(|(_, attribute)| *attribute)
            .collect();
        writeln!(
            self.words,
            r#"<text x="{:.1}" y="{:.1}" textLength="{:.1}" fill="{}"{styles}>{}</text>"#,
            left(start) + lead as f32 * WIDTH,
            top(y) + HEIGHT * 0.76,
            text.width() as f32 * WIDTH,
            ink.foreground,
            text.replace('&', "&amp;").replace('<', "&lt;")
        )
        .unwrap();
    }

    /// Bars are shapes: fonts leave gaps between them.
    fn bars(&mut self, start: u16, y: u16, text: &str, ink: Ink<'p>) {
        for (offset, letter) in text.chars().enumerate() {
            let Some(bar) = BARS.find(letter) else {
                continue;
            };
            let eighths = BARS[..bar].chars().count() as f32 + 1.0;
            let x = left(start) + offset as f32 * WIDTH;
            let (width, height) = match letter {
                '▌' => (WIDTH / 2.0, HEIGHT),
                _ => (WIDTH, HEIGHT * eighths / 8.0),
            };
            let place = (x, top(y) + HEIGHT - height);
            rect(&mut self.shapes, place, (width, height), ink.foreground);
        }
    }

    /// Frames are lines, for the same reason. Answers whether `symbol` is of a frame.
    fn line(&mut self, symbol: &str, (x, y): (u16, u16), ink: Ink<'p>) -> bool {
        // Which ways it goes from the middle of the cell: left, right, up, down.
        let ways = match symbol {
            "─" => "lr",
            "│" => "ud",
            "┌" => "rd",
            "┐" => "ld",
            "└" => "ru",
            "┘" => "lu",
            "├" => "rud",
            "┤" => "lud",
            "┬" => "lrd",
            "┴" => "lru",
            "┼" => "lrud",
            _ => return false,
        };
        let path = self.lines.entry(ink.foreground).or_default();
        let (x, y) = (left(x) + WIDTH / 2.0, top(y) + HEIGHT / 2.0);
        for way in ways.chars() {
            let (across, down) = (WIDTH / 2.0, HEIGHT / 2.0);
            match way {
                'l' => write!(path, "M{x:.1} {y:.1}h-{across}"),
                'r' => write!(path, "M{x:.1} {y:.1}h{across}"),
                'u' => write!(path, "M{x:.1} {y:.1}v-{down}"),
                _ => write!(path, "M{x:.1} {y:.1}v{down}"),
            }
            .unwrap();
        }
        true
    }
}

fn rect(svg: &mut String, (x, y): (f32, f32), (width, height): (f32, f32), colour: &str) {
    writeln!(
        svg,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}"/>"#
    )
    .unwrap();
}

fn left(x: u16) -> f32 {
    MARGIN + f32::from(x) * WIDTH
}

fn top(y: u16) -> f32 {
    MARGIN + f32::from(y) * HEIGHT
}
