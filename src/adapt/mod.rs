//! Floor 5: things that eat events. Every adapter is a [`Sink`](crate::Sink).

mod count;

pub use count::Count;
