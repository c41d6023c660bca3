//! Nothing: only the dependency is wanted.
