//! JSON writer for results.

/// Writes values and the commas between them.
#[derive(Default)]
pub(crate) struct Json {
    pub(crate) out: String,
}

impl Json {
    fn comma(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'[' | b'{' | b':')) {
            self.out.push(',');
        }
    }

    pub(crate) fn open(&mut self, bracket: char) {
        self.comma();
        self.out.push(bracket);
    }

    pub(crate) fn close(&mut self, bracket: char) {
        self.out.push(bracket);
    }

    /// Writes the name of the next value.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.out.push(':');
        self
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.comma();
        self.out.push('"');
        let mut from = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.out.push_str(&text[from..at]);
            let hex = |digit: u8| char::from(b"0123456789abcdef"[usize::from(digit & 15)]);
            match byte {
                b'"' | b'\\' => self.out.extend(['\\', char::from(byte)]),
                _ => self
                    .out
                    .extend(['\\', 'u', '0', '0', hex(byte >> 4), hex(byte)]),
            }
            from = at + 1;
        }
        self.out.push_str(&text[from..]);
        self.out.push('"');
    }

    /// Writes a value that is not a text: a number or a boolean.
    pub(crate) fn number(&mut self, number: impl ToString) {
        self.comma();
        self.out.push_str(&number.to_string());
    }

    pub(crate) fn number_or_null(&mut self, number: Option<impl ToString>) {
        match number {
            Some(number) => self.number(number),
            None => self.null(),
        }
    }

    pub(crate) fn null(&mut self) {
        self.comma();
        self.out.push_str("null");
    }

    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    /// Writes a list of texts.
    #[cfg(feature = "full")]
    pub(crate) fn texts(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        self.open('[');
        texts.into_iter().for_each(|text| self.text(text.as_ref()));
        self.close(']');
    }

    /// Writes a list of numbers.
    #[cfg(feature = "full")]
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = impl ToString>) {
        self.open('[');
        numbers.into_iter().for_each(|number| self.number(number));
        self.close(']');
    }
}
