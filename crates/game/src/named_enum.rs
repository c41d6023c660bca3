//! Defines enums whose constants have stable names.

/// Defines an enum of constants. The first list has its documentation, its name, and the name of the
/// list of all constants; then each constant has a row with its documentation and its name in
/// outputs, which `as_str` and `Display` return.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])* $type:ident $all:ident;
        $($(#[$doc:meta])* $variant:ident $name:literal)*
    ) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$doc])* $variant,)*
        }

        impl $type {
            /// All constants, in the order of their definition.
            pub const $all: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
