//! Which build this is.

/// The build of the daemon and its pages: version and hash of www/. A page of another build reloads itself.
pub const BUILD: &str = env!("DOOZER_BUILD");
