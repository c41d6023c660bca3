//! Tests of whole and damaged archives, and of the walk that finds them.

mod archive;
mod archive_damage;
mod archive_names;
mod volumes;
mod walk;
