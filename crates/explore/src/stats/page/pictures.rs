//! The boards of the page, which the script puts into their sections.

/// Pictures of boards. The data has their numbers.
#[derive(Default)]
pub(super) struct Pictures {
    count: usize,
    markup: String,
}

impl Pictures {
    /// Adds a picture and returns its number.
    pub(super) fn add(&mut self, svg: &str) -> usize {
        self.count += 1;
        self.markup += &format!("<template id=\"picture-{}\">{svg}</template>\n", self.count);
        self.count
    }

    pub(super) fn markup(&self) -> &str {
        &self.markup
    }
}
