//! Zip archives for tests.

/// Returns a zip archive whose members are not compressed.
pub(crate) fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let table: Vec<u32> = (0..256)
            .map(|n| {
                (0..8).fold(n, |n, _| {
                    if n & 1 == 1 {
                        0xEDB8_8320 ^ (n >> 1)
                    } else {
                        n >> 1
                    }
                })
            })
            .collect();
        !bytes.iter().fold(!0u32, |crc, byte| {
            table[usize::from(crc as u8 ^ byte)] ^ (crc >> 8)
        })
    };
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in members {
        let size = (bytes.len() as u32).to_le_bytes();
        let common = [
            &[0; 8][..],
            &crc(bytes).to_le_bytes(),
            &size,
            &size,
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        let offset = (out.len() as u32).to_le_bytes();
        directory.extend(
            [
                &b"PK\x01\x02\x14\0\x14\0"[..],
                &common,
                &[0; 10],
                &offset,
                name.as_bytes(),
            ]
            .concat(),
        );
        out.extend([&b"PK\x03\x04\x14\0"[..], &common, name.as_bytes(), bytes].concat());
    }
    let (count, size) = (
        (members.len() as u16).to_le_bytes(),
        (directory.len() as u32).to_le_bytes(),
    );
    let offset = (out.len() as u32).to_le_bytes();
    out.extend(directory);
    out.extend(
        [
            &b"PK\x05\x06\0\0\0\0"[..],
            &count,
            &count,
            &size,
            &offset,
            &[0, 0],
        ]
        .concat(),
    );
    out
}
