//! Floor 5: things that eat events. Every adapter is a [`Sink`](crate::Sink).

mod count;
#[cfg(feature = "filter")]
pub mod filter;
#[cfg(feature = "row")]
pub mod row;

pub use count::Count;
