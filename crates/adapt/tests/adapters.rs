//! Tests of adapters: findings, repairs, edits, trees and sums. Also tests the reader on real
//! archives.

#![allow(
    unreachable_pub,
    reason = "modules of a test; several tests share them"
)]

#[path = "../../../tests/common/mod.rs"]
mod common;

#[path = "../../../tests/common/positions.rs"]
mod positions;

#[path = "../../../tests/reads/fronts.rs"]
#[allow(dead_code, reason = "the tests of the reader use the rest")]
mod fronts;
#[path = "../../../tests/reads/records.rs"]
mod records;
#[path = "../../../tests/twin/mod.rs"]
#[allow(dead_code, reason = "the tests of the reader use the rest")]
mod twin;

mod adapter_laws;
mod archives;
mod check_codes;
mod conformance;
mod disk;
mod fixing;
mod meaning;
mod parallel;
mod position_laws;
mod rewriting;
mod writing;
