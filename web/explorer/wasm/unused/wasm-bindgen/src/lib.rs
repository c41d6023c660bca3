//! Empty: sgfstream-archive asks for this crate on WebAssembly by way of sevenz-rust2, which uses it with a feature that is off here.
//! The real one puts imports into the module.
