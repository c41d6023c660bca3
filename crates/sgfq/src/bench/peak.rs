//! The most memory that this process has held.

/// Bytes of physical memory at the peak, where the system says it (Linux:
/// `VmHWM`).
pub(super) fn peak_memory() -> Option<u64> {
    parse(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn parse(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status() {
        assert_eq!(parse("Name:\tsgfq\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234 * 1024));
        assert_eq!(parse("Name:\tsgfq\n"), None);
        assert_eq!(parse("VmHWM:\t many kB\n"), None);
        if cfg!(target_os = "linux") {
            assert!(peak_memory().expect("Linux says it") > 100_000);
        }
    }
}
