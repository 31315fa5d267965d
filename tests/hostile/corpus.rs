//! Texts that would do something to a terminal, made from every family of escapes and characters.

/// A text that a server sends.
pub struct Text {
    /// Between the quotes of JSON, as it is sent.
    pub json: String,
    /// What it is once it is read.
    pub decoded: String,
}

/// Sequences that a terminal would carry out.
const SEQUENCES: [&str; 38] = [
    // CSI: colours, erasing, moving, scrolling, modes, reports, the window.
    "\u{1b}[31;1;7m",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}[99;99H",
    "\u{1b}[5A\u{1b}[5B\u{1b}[5C\u{1b}[5D",
    "\u{1b}[3;5r",
    "\u{1b}[4h\u{1b}[20h",
    "\u{1b}[?1049l",
    "\u{1b}[?25h\u{1b}[?7l\u{1b}[?6h",
    "\u{1b}[?1000h\u{1b}[?1006h",
    "\u{1b}[?2004l\u{1b}[?1h",
    "\u{1b}[6n\u{1b}[c\u{1b}[>c",
    "\u{1b}[8;1;1t\u{1b}[21t",
    "\u{1b}[!p\u{1b}[5i",
    "\u{1b}[6 q\u{1b}[>1u",
    "\u{1b}[",
    // OSC: titles, links, the clipboard, colours, notes, pictures.
    "\u{1b}]0;owned\u{7}",
    "\u{1b}]2;owned\u{1b}\\",
    "\u{1b}]8;;https://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;b3duZWQ=\u{7}",
    "\u{1b}]52;c;?\u{7}",
    "\u{1b}]4;0;?\u{1b}\\",
    "\u{1b}]9;note\u{7}\u{1b}]777;notify;a;b\u{7}",
    "\u{1b}]1337;File=inline=1:AAAA\u{7}",
    "\u{1b}]never ends",
    // DCS with sixels and a query, APC with kitty's pictures, PM, SOS.
    "\u{1b}Pq#0;2;0;0;0#0~~@@vv$\u{1b}\\",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}_Gf=100,a=T;AAAA\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}Xstring\u{1b}\\",
    // Single characters: reset, save and restore, keypad, index, tabs, character sets.
    "\u{1b}c",
    "\u{1b}7\u{1b}8\u{1b}=\u{1b}>",
    "\u{1b}D\u{1b}M\u{1b}E\u{1b}H\u{1b}Z",
    "\u{1b}(0lqqk\u{1b}(B\u{e}\u{f}",
    "\u{1b}#8\u{1b}%G\u{1b}N\u{1b}O",
    // The same in eight bits.
    "\u{9b}31m\u{9b}2J",
    "\u{9d}0;owned\u{9c}",
    "\u{90}q~\u{9c}\u{9f}G\u{9c}",
    "\u{98}x\u{9c}\u{9e}x\u{9c}\u{85}\u{84}\u{8d}",
];

/// Characters that hide, reorder, widen or stack.
const CHARACTERS: [&str; 23] = [
    "\u{202e}gnp.exe\u{202c}",
    "\u{2066}a\u{2069}\u{200f}\u{200e}\u{61c}",
    "\u{200b}\u{200c}\u{200d}",
    "\u{2060}\u{feff}\u{ad}",
    "e\u{301}\u{327}",
    "\u{301}alone",
    "Z\u{335}\u{321}\u{322}\u{327}\u{328}\u{334}\u{336}\u{337}\u{338}\u{489}\u{300}\u{301}",
    "状态: 完成",
    "ｗｉｄｅ",
    "✅ 🟢 ⚠\u{fe0f} ❤\u{fe0f}",
    "👩\u{200d}👩\u{200d}👧\u{200d}👦",
    "👍🏽",
    "🇩🇪🇽",
    "1\u{fe0f}\u{20e3}",
    "\u{1100}\u{1161}\u{11a8}각",
    "नि\u{94d}\u{200d}ष",
    "ﷺ",
    "\u{e0041}\u{e007f}",
    "\u{fff9}a\u{fffa}b\u{fffb}",
    "\u{2028}\u{2029}",
    "\u{e000}\u{f8ff}",
    "\u{fdd0}\u{ffff}\u{10ffff}",
    "\u{a0}\u{3000}\u{2003}",
];

/// Every text, each between letters, so that nothing at its ends is taken for white space.
pub fn texts() -> Vec<Text> {
    let controls: Vec<char> = (0..0x20)
        .chain(0x7f..0xa0)
        .filter_map(char::from_u32)
        // Line breaks and tabs are laid out.
        .filter(|control| !matches!(control, '\n' | '\t'))
        .collect();
    let controls = controls.chunks(8).map(|few| few.iter().collect::<String>());
    let mixed = SEQUENCES.iter().zip(CHARACTERS.iter().cycle());
    let mixed = mixed.map(|(sequence, character)| format!("{character}{sequence}"));
    let progress = "10%\r20%\r\u{8}\u{8}\u{8}30%".to_owned();
    let more = controls.chain(mixed).chain([progress]);
    let mut texts = short();
    texts.extend(more.map(|text| Text::of(&text)));
    texts
}

/// One text of every kind.
pub fn short() -> Vec<Text> {
    let all = SEQUENCES.into_iter().chain(CHARACTERS);
    let mut texts: Vec<Text> = all.map(Text::of).collect();
    // Halves of a pair, which JSON can spell and no text can hold.
    for (json, decoded) in [
        ("a\\ud83dz", "a\u{fffd}z"),
        ("a\\udc00z", "a\u{fffd}z"),
        ("a\\udc00\\ud83dz", "a\u{fffd}\u{fffd}z"),
    ] {
        let (json, decoded) = (json.to_owned(), decoded.to_owned());
        texts.push(Text { json, decoded });
    }
    texts
}

impl Text {
    fn of(text: &str) -> Self {
        let decoded = format!("a{text}z");
        let json = super::json_text(&decoded);
        Self { json, decoded }
    }
}
