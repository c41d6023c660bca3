//! The extension module `sgfstream._native`: Python bindings of the tables, the engine and the
//! trees of the Rust crates, and the command `sgfq`. It contains no reading logic of its own.

mod args;
mod errors;
mod inputs;

mod problem;
mod warning;

mod scan;
mod stream;

mod feed;

mod board;
mod check;
mod events;
mod filter;
mod games;

mod command;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<problem::Problem>()?;
    module.add_class::<scan::Scan>()?;
    module.add_class::<events::Events>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<games::Game>()?;
    module.add_class::<games::GameReader>()?;
    module.add_class::<games::Node>()?;
    module.add_class::<check::Finding>()?;
    module.add_class::<check::Findings>()?;
    module.add_class::<check::Fixed>()?;
    module.add_class::<filter::Filtered>()?;
    module.add_function(wrap_pyfunction!(board::rule_set, module)?)?;
    module.add_function(wrap_pyfunction!(check::fix, module)?)?;
    module.add_function(wrap_pyfunction!(command::run, module)?)?;
    module.add_function(wrap_pyfunction!(filter::filter, module)?)?;
    module.add_function(wrap_pyfunction!(scan::columns, module)?)?;
    module.add_function(wrap_pyfunction!(scan::plan, module)?)?;
    Ok(())
}
