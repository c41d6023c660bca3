//! Compressed files for tests.

/// Returns a zstd frame whose blocks are not compressed.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut out = b"\x28\xB5\x2F\xFD\x00\x50".to_vec();
    let mut blocks = bytes.chunks(1 << 16).peekable();
    while let Some(block) = blocks.next() {
        let head = (block.len() as u32) << 3 | u32::from(blocks.peek().is_none());
        out.extend_from_slice(&head.to_le_bytes()[..3]);
        out.extend_from_slice(block);
    }
    out
}
