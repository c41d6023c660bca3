//! A game as a value: its bytes, and one flat list of tokens with random access.
//!
//! [`GameReader`] reads one game at a time, whole. Everything above it is a plain function of a
//! [`GameRecord`], which is immutable and `Copy`: no consumer buffers events or waits for the end
//! of a root.

mod events;
mod game_reader;
mod game_record;
mod items;
mod node;
mod outline;
mod owned_game;
mod stored_game;

pub use game_reader::GameReader;
pub use game_record::GameRecord;
pub use items::{GameItem, GameItems};
pub use node::{Node, NodeProperties, Nodes};
pub use outline::Outline;
pub use owned_game::OwnedGame;

pub(crate) use crate::tokens::TokenBuffer;
pub use crate::tokens::{Token, TokenKind};
