//! Pictures of the page. Its script moves them into their sections.

/// SVG pictures in `template` elements. The data refers to them by number.
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
