//! Connection with a time limit for writes.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Connection that fails if the peer accepts no byte of a reply for some time, so that it does not occupy a slot forever.
pub(super) struct TimedStream {
    stream: TcpStream,
    limit: Duration,
    /// Deadline of the pending write.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, limit: Duration) -> Self {
        Self { stream, limit, waiting: None }
    }

    /// Returns the state of a write, or an error if the write is pending longer than the limit.
    fn limit<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let limit = self.limit;
        ready!(self.waiting.get_or_insert_with(|| Box::pin(sleep(limit))).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buf)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.limit(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limit(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::net::TcpListener;

    use super::*;

    /// The server drops a browser that accepts no bytes, and keeps one that accepts some.
    #[test]
    fn a_write_that_waits_fails() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_io().enable_time().build().expect("a runtime").block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let other = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("it listens");
            let (stream, _) = listener.accept().await.expect("a connection");
            let mut stream = TimedStream::new(stream, Duration::from_millis(50));
            let bytes = vec![0; 1 << 20];
            // The system buffers some megabytes.
            let mut written = 0;
            let failed = loop {
                match poll_fn(|context| Pin::new(&mut stream).poll_write(context, &bytes)).await {
                    Ok(len) => written += len,
                    Err(err) => break err,
                }
            };
            assert!(written > 0);
            assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
            drop(other);
        });
    }
}
