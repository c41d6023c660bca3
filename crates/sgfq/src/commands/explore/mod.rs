//! `sgfq explore`: a page in the browser that shows an archive.
//!
//! The page and its server run on this machine and contact no other host. [`archive`] reads the
//! games, `sgfstream_explore` answers the requests, and [`server`] rejects requests of other pages.
//! The page is in `assets`: `page.js` renders the state of `state.js` with the components in the
//! modules next to it. It uses unmodified copies of Preact, htm and jsdiff in `assets/vendor`, and
//! no bundler.

mod archive;
mod server;
mod timed_stream;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use anyhow::Context;
use clap::Args;
use tokio::sync::oneshot;

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::args::where_games::WhereArgs;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal;

use archive::Archive;
use server::{Server, Token};

/// Explore an archive in the browser: positions, next moves, games, comments.
///
/// Only this machine can open the page, and only by the printed address, which contains a random
/// token. Ctrl-C ends the server. At the start, `explore` reads all games once into an index file.
/// The index takes as much space as the games, plus about 16 bytes for each position of their main
/// lines, 11 bytes for each position that --variations adds, and 11 bytes for each position with a
/// comment, label or judgment. The index is temporary unless you pass --index. The page opens as soon as the first games are read. If there are no games, or if they cannot be
/// indexed and no page is open, the exit status is 2.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq explore archive.zip\n\
\x20 sgfq explore --variations --index archive.positions archive.zip\n\
\x20 sgfq explore --port 0 --where \"gm = 1\" games/")]
pub(crate) struct Explore {
    /// Listen on this port of 127.0.0.1; 0 for a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    /// Keep the index in FILE, so that the next start reads no games unless they changed.
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,

    /// Index all lines of the games, so that the page can search main lines and variations.
    #[arg(long)]
    variations: bool,

    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,

    #[command(flatten)]
    choice: WhereArgs,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

impl Explore {
    pub(crate) fn run(self, _: &mut Output) -> anyhow::Result<Exit> {
        let Self {
            choice,
            pool,
            inputs,
            ..
        } = self;
        let io = Io {
            choice,
            destination: Destination::default(),
            pool,
            inputs,
        };
        io.choice.filter()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let listener = TcpListener::bind(address)
            .with_context(|| format!("cannot listen on {address}; choose another --port"))?;
        let token = Token::random()?;
        let url = format!("http://{}/#token={token}", listener.local_addr()?);
        let archive = Arc::new(Archive::new(&io));
        let (begun, begin) = sync_channel(1);
        let (fail, failed) = oneshot::channel();
        let reading = Arc::clone(&archive);
        let reader = std::thread::Builder::new().name("archive".to_owned());
        reader.spawn(move || {
            reading.read(self.index.as_deref(), self.variations, &io, &begun);
            if let Some(Err(message)) = reading.games() {
                // Without a server, `begun` reports the failure.
                _ = fail.send(message.clone());
            }
        })?;
        // This is an error, because the index contains all games or none.
        if begin.recv().is_err()
            && let Some(Err(message)) = archive.games()
        {
            anyhow::bail!("{message}");
        }
        terminal::print_line(&format!("sgfq: {url}\nsgfq: Ctrl-C ends it"));
        if !self.no_open && open::that_detached(&url).is_err() {
            terminal::print_line("sgfq: no browser was found; open the address above");
        }
        Server::new(archive, token, listener)?.run(failed)?;
        Ok(Exit::Done)
    }
}
