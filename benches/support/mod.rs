//! Parts that the benches share: the data they read, and the work they time. Also
//! used by `tests/instructions.rs` and the example `measure`, so that all of
//! them speak of the same work.

#![allow(dead_code, reason = "each user takes what it needs")]
#![allow(unreachable_pub, reason = "the generator is a module of its example")]

pub mod data;
#[path = "../../examples/generate/shapes.rs"]
pub mod shapes;
pub mod work;

use std::time::Duration;

use criterion::{Criterion, Throughput};

/// Bytes and events a second.
pub fn throughput(bytes: u64, events: u64) -> Throughput {
    Throughput::ElementsAndBytes { elements: events, bytes }
}

/// A second for each figure: a run of all groups is a matter of minutes.
pub fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}
