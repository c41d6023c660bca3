//! Rows and their markdown.

/// Target of the reader, with the measured ratio.
pub(crate) struct Row {
    work: &'static str,
    data: String,
    target: Option<f64>,
    /// The rate of the first runner as a multiple of the second's.
    ratio: f64,
    /// Bytes per second of the first runner.
    rate: f64,
    /// Events in a byte.
    events: Option<f64>,
}

impl Row {
    /// Returns a row of two rates in bytes per second: the rate of the reader, and the rate of the
    /// baseline.
    pub(crate) fn new(
        work: &'static str,
        data: &str,
        target: Option<f64>,
        rates: Vec<f64>,
    ) -> Self {
        Self {
            work,
            data: data.to_owned(),
            target,
            ratio: rates[0] / rates[1],
            rate: rates[0],
            events: None,
        }
    }

    pub(crate) fn with_events(mut self, in_a_byte: f64) -> Self {
        self.events = Some(in_a_byte);
        self
    }
}

/// Prints the head of the table.
pub(crate) fn print_head() {
    println!("| work | data | target | measured | GB/s | M events/s | |");
    println!("|---|---|--:|--:|--:|--:|---|");
}

impl Row {
    pub(crate) fn print(&self) {
        let target = self
            .target
            .map_or(String::new(), |target| format!("{target:.2}"));
        let events = self.events.map_or(String::new(), |events| {
            format!("{:.0}", events * self.rate / 1e6)
        });
        let verdict = match self.target {
            Some(target) if self.ratio >= target => "ok",
            Some(_) => "missed",
            None => "",
        };
        println!(
            "| {} | {} | {target} | {:.2} | {:.2} | {events} | {verdict} |",
            self.work,
            self.data,
            self.ratio,
            self.rate / 1e9
        );
    }
}
