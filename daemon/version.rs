//! The version of this build.

/// The build of the daemon and its pages: the version and a hash of www/. A page of another build reloads itself.
pub const BUILD: &str = env!("DOOZER_BUILD");
