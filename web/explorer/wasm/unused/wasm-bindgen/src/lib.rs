//! An empty crate in place of wasm-bindgen. On WebAssembly, `sevenz-rust2` depends on wasm-bindgen,
//! but uses it only with a feature that is off here. The real crate would add imports to the
//! module.
