//! Floor 4: what identifiers, points and moves mean, game by game: the table of
//! properties ([`Definition`]) and the games. Values that no game owns are in
//! [`value`](crate::value).

mod definition;
mod properties;
mod value_type;

mod entries;
mod entry;
mod games;
mod move_ids;
mod symmetry;
mod variant;

pub use definition::{Definition, Fit, Found, Origin, PropertyType, Scope, Versions};
pub use entry::{FirstPlayer, GameEntry, MoveSyntax, PointSyntax};
pub use games::{Boardspace, Game};
pub use move_ids::MoveIds;
pub use symmetry::Symmetry;
pub use value_type::ValueType;
pub use variant::Variant;
