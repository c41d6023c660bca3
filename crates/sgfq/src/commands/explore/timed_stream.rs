//! Connection with time limits: for each write, and for all requests without the token.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Connection that fails if the peer accepts no byte of a reply for some time, so that it does not
/// occupy a slot forever.
pub(super) struct TimedStream {
    stream: TcpStream,
    limit: Duration,
    /// Deadline of the pending write.
    waiting: Option<Pin<Box<Sleep>>>,
    /// End of the connection, unless a request has the token before.
    end: Pin<Box<Sleep>>,
    has_token: Arc<AtomicBool>,
}

impl TimedStream {
    /// Creates a connection that ends after `life` unless `has_token` is set before.
    pub(super) fn new(
        stream: TcpStream,
        limit: Duration,
        life: Duration,
        has_token: Arc<AtomicBool>,
    ) -> Self {
        Self {
            stream,
            limit,
            waiting: None,
            end: Box::pin(sleep(life)),
            has_token,
        }
    }

    /// Returns an error if the time of a connection without the token is over.
    fn check_life(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if !self.has_token.load(Relaxed) && self.end.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    /// Returns the state of a write, or an error if the write is pending longer than the limit.
    fn limit<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let limit = self.limit;
        ready!(
            self.waiting
                .get_or_insert_with(|| Box::pin(sleep(limit)))
                .as_mut()
                .poll(context)
        );
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_life(context)?;
        Pin::new(&mut self.stream).poll_read(context, buf)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_life(context)?;
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
        runtime
            .enable_io()
            .enable_time()
            .build()
            .expect("a runtime")
            .block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                let other = TcpStream::connect(listener.local_addr().expect("an address"))
                    .await
                    .expect("it listens");
                let (stream, _) = listener.accept().await.expect("a connection");
                let life = Duration::from_secs(60);
                let mut stream =
                    TimedStream::new(stream, Duration::from_millis(50), life, Arc::default());
                let bytes = vec![0; 1 << 20];
                // The system buffers some megabytes.
                let mut written = 0;
                let failed = loop {
                    match poll_fn(|context| Pin::new(&mut stream).poll_write(context, &bytes)).await
                    {
                        Ok(len) => written += len,
                        Err(err) => break err,
                    }
                };
                assert!(written > 0);
                assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
                drop(other);
            });
    }

    /// A browser that reads slowly is dropped in time, too, unless it has the token.
    #[test]
    fn a_slow_connection_needs_the_token() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime
            .enable_io()
            .enable_time()
            .build()
            .expect("a runtime")
            .block_on(async {
                for has_token in [false, true] {
                    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                    let other = TcpStream::connect(listener.local_addr().expect("an address"))
                        .await
                        .expect("it listens");
                    let (stream, _) = listener.accept().await.expect("a connection");
                    let life = Duration::from_millis(50);
                    let token = Arc::new(AtomicBool::new(has_token));
                    let mut stream = TimedStream::new(stream, Duration::from_secs(60), life, token);
                    let (bytes, mut taken) = (vec![0; 1000], vec![0; 1000]);
                    let mut rounds = 0;
                    let failed = loop {
                        sleep(Duration::from_millis(10)).await;
                        if rounds == 20 {
                            break None;
                        }
                        if let Err(err) =
                            poll_fn(|context| Pin::new(&mut stream).poll_write(context, &bytes))
                                .await
                        {
                            break Some(err.kind());
                        }
                        other.readable().await.expect("a connection");
                        _ = other.try_read(&mut taken);
                        rounds += 1;
                    };
                    assert_eq!(failed, (!has_token).then_some(io::ErrorKind::TimedOut));
                }
            });
    }
}
