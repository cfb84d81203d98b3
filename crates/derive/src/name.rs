//! What fields and names are called in JSON.

/// serde's `rename_all`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Case {
    /// As they are in Rust.
    #[default]
    Own,
    Camel,
    Snake,
    Lower,
}

impl Case {
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "lowercase" => Self::Lower,
            _ => return None,
        })
    }

    /// A field, which Rust writes in snake case.
    pub(crate) fn of_field(self, name: &str) -> String {
        if self != Self::Camel {
            return name.to_owned();
        }
        let mut camel = String::new();
        let mut is_start = false;
        for letter in name.chars() {
            match letter {
                '_' => is_start = true,
                _ if std::mem::take(&mut is_start) => camel.extend(letter.to_uppercase()),
                _ => camel.push(letter),
            }
        }
        camel
    }

    /// A variant, which Rust writes in camel case with a capital letter.
    pub(crate) fn of_variant(self, name: &str) -> String {
        match self {
            Self::Own => name.to_owned(),
            Self::Lower => name.to_lowercase(),
            Self::Camel => {
                let mut letters = name.chars();
                let first = letters.next().map(|first| first.to_ascii_lowercase());
                first.into_iter().chain(letters).collect()
            }
            Self::Snake => {
                let mut snake = String::new();
                for letter in name.chars() {
                    if letter.is_uppercase() && !snake.is_empty() {
                        snake.push('_');
                    }
                    snake.extend(letter.to_lowercase());
                }
                snake
            }
        }
    }
}
