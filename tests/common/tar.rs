//! Archives for tests.

/// Returns a tar archive of these members.
pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out: Vec<u8> = members
        .iter()
        .flat_map(|(name, bytes)| tar_member(name, bytes))
        .collect();
    out.resize(out.len() + 1024, 0);
    out
}

/// Returns a member: its header, and its bytes up to the next block.
pub(crate) fn tar_member(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 512];
    out[..name.len()].copy_from_slice(name.as_bytes());
    out[100..108].copy_from_slice(b"0000644\0");
    out[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
    out[148..156].fill(b' ');
    out[156] = b'0';
    out[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = out.iter().map(|&byte| u32::from(byte)).sum();
    out[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    out.extend_from_slice(bytes);
    out.resize(out.len().next_multiple_of(512), 0);
    out
}
