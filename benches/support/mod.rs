//! Data and timed functions of the benches. `tests/instructions.rs` and the example
//! `measure` use the same functions, so their figures can be
//! compared.

#![allow(dead_code, reason = "each user takes what it needs")]
#![allow(unreachable_pub, reason = "the generator is a module of its example")]

pub mod data;
pub mod shapes;
pub mod work;

use std::time::Duration;

use criterion::{Criterion, Throughput};

/// Throughput in bytes and in events per second.
pub fn throughput(bytes: u64, events: u64) -> Throughput {
    Throughput::ElementsAndBytes {
        elements: events,
        bytes,
    }
}

/// Measures each figure for a second, so that a run of all groups takes minutes.
pub fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
}
