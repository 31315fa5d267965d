//! A JSON Schema as it applies in one place: itself, what it refers to, and what it takes all of.
//!
//! Owns what a schema means for a form. Nothing is copied, so that schemas that refer to themselves
//! cost nothing until they are unfolded. Must not know what is written in a field.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::work::{Work, weight};

/// How many schemas apply in one place at most: references may go round.
const MOST_PARTS: usize = 64;
/// The keywords that say what a value looks like; variants without any only restrict.
const STRUCTURE: [&str; 10] = [
    "type",
    "properties",
    "required",
    "enum",
    "const",
    "items",
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
];

/// The schemas that apply to a value, those that win first.
#[derive(Debug, Clone)]
pub(super) struct Schema<'s> {
    root: &'s Value,
    work: &'s Work,
    parts: Vec<&'s Value>,
    /// The lists of variants of which one was taken.
    taken: Vec<&'s [Value]>,
    /// The one of several types that was taken.
    only: Option<&'s str>,
    null_variant: bool,
}

/// One of the values that a field may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The value.
    pub value: Value,
    /// What it is called: its title, the string itself, or its JSON.
    pub label: String,
}

/// One of the schemas that a value may follow.
#[derive(Debug, Clone)]
pub(super) struct Variant<'s> {
    pub(super) label: String,
    pub(super) schema: Schema<'s>,
}

/// How a value is written.
#[derive(Debug, Clone)]
pub(super) enum Shape<'s> {
    Text,
    Number,
    Options(Vec<Choice>),
    Object,
    Variants(Vec<Variant<'s>>),
    Json,
}

impl<'s> Schema<'s> {
    /// The schema of the whole. Where the work is spent, nothing more is known of it than that it
    /// may be any JSON.
    pub(super) fn whole(root: &'s Value, work: &'s Work) -> Self {
        Self::of(root, &[root], work)
    }

    fn of(root: &'s Value, sources: &[&'s Value], work: &'s Work) -> Self {
        let mut schema = Self {
            root,
            work,
            parts: Vec::new(),
            taken: Vec::new(),
            only: None,
            null_variant: false,
        };
        for source in sources {
            schema.add(source);
        }
        schema.take_what_needs_no_choice();
        schema
    }

    /// What the work may still be.
    pub(super) fn work(&self) -> &'s Work {
        self.work
    }

    fn add(&mut self, part: &'s Value) {
        let known = self.parts.iter().any(|own| std::ptr::eq(*own, part));
        if !self.work.spend(1) || known || self.parts.len() == MOST_PARTS {
            return;
        }
        self.parts.push(part);
        let pointer = part["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
        let pointer = pointer.filter(|pointer| self.work.spend_on_text(pointer));
        if let Some(target) = pointer.and_then(|pointer| self.root.pointer(&unescaped(pointer))) {
            self.add(target);
        }
        for part in part["allOf"].as_array().into_iter().flatten() {
            self.add(part);
        }
    }

    /// Takes variants that leave no choice, such as `X` of `X` or null.
    fn take_what_needs_no_choice(&mut self) {
        while let Some(list) = self.open_variants() {
            let (null, rest): (Vec<&Value>, Vec<&Value>) = self
                .work
                .limit(list.iter())
                .partition(|variant| variant["type"] == "null");
            self.null_variant |= !null.is_empty();
            let [lone] = rest[..] else { return };
            self.taken.push(list);
            self.add(lone);
        }
    }

    /// The first list of variants of which none was taken.
    fn open_variants(&self) -> Option<&'s [Value]> {
        let lists = self
            .parts
            .iter()
            .flat_map(|part| [part.get("oneOf"), part.get("anyOf")])
            .flatten()
            .filter_map(Value::as_array);
        let shapes = |variant: &Value| STRUCTURE.iter().any(|word| variant.get(word).is_some());
        let taken = |list: &[Value]| self.taken.iter().any(|own| std::ptr::eq(*own, list));
        lists
            .map(Vec::as_slice)
            .find(|list| !taken(list) && self.work.limit(list.iter()).any(shapes))
    }

    /// What the first schema that has the keyword says.
    pub(super) fn get(&self, keyword: &str) -> Option<&'s Value> {
        self.parts.iter().find_map(|part| part.get(keyword))
    }

    /// What it says in words, where it does.
    pub(super) fn words(&self, keyword: &str) -> Option<&'s str> {
        self.get(keyword).and_then(Value::as_str)
    }

    /// The types that a value may have, null among them.
    fn types(&self) -> Vec<&'s str> {
        if let Some(only) = self.only {
            return vec![only];
        }
        match self.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => {
                let several = self.work.limit(several.iter());
                several.filter_map(Value::as_str).collect()
            }
            _ if self.get("properties").is_some() => vec!["object"],
            _ => Vec::new(),
        }
    }

    /// The type of a value that isn't null, where there is one.
    pub(super) fn kind(&self) -> Option<&'s str> {
        let types = self.types();
        let other = types.iter().find(|kind| **kind != "null");
        other.or(types.first()).copied()
    }

    /// Whether null may stand for a value.
    pub(super) fn is_nullable(&self) -> bool {
        let types = self.types();
        self.null_variant
            || (types.len() > 1 && types.contains(&"null"))
            || self.get("nullable") == Some(&Value::Bool(true))
    }

    /// How a value is written; `depth` says how many objects may still be unfolded.
    pub(super) fn shape(&self, depth: usize) -> Shape<'s> {
        if self.work.is_spent() {
            return Shape::Json;
        }
        let options = self.options();
        if !options.is_empty() {
            return Shape::Options(options);
        }
        let variants = self.variants();
        if !variants.is_empty() {
            return if depth > 0 {
                Shape::Variants(variants)
            } else {
                Shape::Json
            };
        }
        match self.kind() {
            Some("string") => Shape::Text,
            Some("integer" | "number") => Shape::Number,
            Some("object") if depth > 0 && self.names_properties() => Shape::Object,
            _ => Shape::Json,
        }
    }

    fn names_properties(&self) -> bool {
        let named = |part: &&Value| {
            let properties = part["properties"].as_object();
            properties.is_some_and(|properties| !properties.is_empty())
        };
        self.parts.iter().any(named)
    }

    fn options(&self) -> Vec<Choice> {
        if let Some(values) = self.get("enum").and_then(Value::as_array) {
            let names = self.get("enumNames").and_then(Value::as_array);
            let name = |index: usize| names.and_then(|names| names.get(index)?.as_str());
            let choices = values.iter().enumerate();
            return choices
                .map_while(|(index, value)| self.choice(value, name(index)))
                .collect();
        }
        if let Some(value) = self.get("const") {
            return self
                .choice(value, self.words("title"))
                .into_iter()
                .collect();
        }
        if let Some(list) = self.open_variants() {
            let constant = |variant: &Value| {
                let value = variant.get("const")?;
                self.choice(value, variant["title"].as_str())
            };
            let rest = list.iter().filter(|variant| variant["type"] != "null");
            let constants: Option<Vec<Choice>> = rest.map(constant).collect();
            return constants.unwrap_or_default();
        }
        match self.types()[..] {
            ["boolean"] | ["boolean", "null"] | ["null", "boolean"] => [true, false]
                .map(|value| Choice::of(&value.into(), None))
                .into(),
            ["null"] => vec![Choice::of(&Value::Null, None)],
            _ => Vec::new(),
        }
    }

    fn choice(&self, value: &Value, title: Option<&str>) -> Option<Choice> {
        let affordable =
            self.work.spend(weight(value)) && self.work.spend_on_text(title.unwrap_or_default());
        affordable.then(|| Choice::of(value, title))
    }

    fn variants(&self) -> Vec<Variant<'s>> {
        if let Some(list) = self.open_variants() {
            let rest = self.work.limit(list.iter());
            return rest
                .filter(|variant| variant["type"] != "null")
                .enumerate()
                .map(|(index, variant)| self.with_variant(list, variant, index))
                .collect();
        }
        let types: Vec<&str> = self
            .types()
            .into_iter()
            .filter(|kind| *kind != "null")
            .collect();
        if types.len() < 2 {
            return Vec::new();
        }
        let one = |kind: &'s str| Variant {
            label: kind.to_owned(),
            schema: Self {
                only: Some(kind),
                ..self.clone()
            },
        };
        types.into_iter().map(one).collect()
    }

    /// The variant comes first: it says more than what all variants have in common.
    fn with_variant(&self, list: &'s [Value], variant: &'s Value, index: usize) -> Variant<'s> {
        let mut schema = Self {
            parts: Vec::new(),
            ..self.clone()
        };
        schema.taken.push(list);
        schema.add(variant);
        let label = variant_label(&schema, variant, index);
        self.work.spend_on_text(&label);
        for part in &self.parts {
            schema.add(part);
        }
        schema.take_what_needs_no_choice();
        Variant { label, schema }
    }

    /// The properties that are named, required ones first, each group in the schema's order.
    pub(super) fn properties(&self) -> Vec<Property<'s>> {
        let required = self.required();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut found: Vec<(&'s str, Vec<&'s Value>)> = Vec::new();
        let objects = self.parts.iter().map(|part| part["properties"].as_object());
        for (name, schema) in self.work.limit(objects.flatten().flatten()) {
            let place = *places.entry(name).or_insert(found.len());
            if let Some((_, sources)) = found.get_mut(place) {
                sources.push(schema);
            } else {
                found.push((name, vec![schema]));
            }
        }
        let (first, rest): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(name, _)| required.contains(name));
        first
            .into_iter()
            .chain(rest)
            .map(|(name, sources)| Property {
                name,
                required: required.contains(name),
                root: self.root,
                work: self.work,
                sources,
            })
            .collect()
    }

    fn required(&self) -> HashSet<&'s str> {
        let lists = self.parts.iter();
        let lists = lists.filter_map(|part| part["required"].as_array());
        self.work
            .limit(lists.flatten())
            .filter_map(Value::as_str)
            .collect()
    }

    /// The schema of an array's items.
    pub(super) fn items(&self) -> Option<Self> {
        let items = self.get("items")?;
        items
            .is_object()
            .then(|| Self::of(self.root, &[items], self.work))
    }
}

/// A property that a schema names.
#[derive(Debug, Clone)]
pub(super) struct Property<'s> {
    pub(super) name: &'s str,
    pub(super) required: bool,
    root: &'s Value,
    work: &'s Work,
    sources: Vec<&'s Value>,
}

impl<'s> Property<'s> {
    /// The schema of its value.
    pub(super) fn schema(&self) -> Schema<'s> {
        Schema::of(self.root, &self.sources, self.work)
    }
}

impl Choice {
    fn of(value: &Value, title: Option<&str>) -> Self {
        let label = match (title, value) {
            (Some(title), _) => title.to_owned(),
            (None, Value::String(text)) if !text.is_empty() => text.clone(),
            (None, value) => value.to_string(),
        };
        Self {
            value: value.clone(),
            label,
        }
    }
}

/// What a variant is called: its title, its name, what tells it apart, its type.
fn variant_label(alone: &Schema<'_>, variant: &Value, index: usize) -> String {
    let title = alone.words("title").map(str::to_owned);
    let name = || {
        let (_, name) = variant["$ref"].as_str()?.rsplit_once('/')?;
        Some(unescaped(name))
    };
    let mark = || {
        let properties = alone.properties();
        properties.iter().find_map(|property| {
            let value = property.schema().get("const")?;
            Some(Choice::of(value, None).label)
        })
    };
    let needs = || {
        let needed = variant["required"].as_array()?;
        let names: Vec<&str> = needed.iter().filter_map(Value::as_str).collect();
        Some(format!("with {}", names.join(", ")))
    };
    title
        .or_else(name)
        .or_else(mark)
        .or_else(|| match alone.kind() {
            Some("object") | None => needs(),
            _ => None,
        })
        .or_else(|| alone.kind().map(str::to_owned))
        .unwrap_or_else(|| format!("variant {}", index + 1))
}

/// A reference is a part of a URI: what stands for other characters there is put back.
fn unescaped(pointer: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = pointer.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = digits.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match byte {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
