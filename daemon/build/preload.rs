//! Lists a page's modules in the page, so that a browser requests all of them at once.

use crate::strip::strip_comments;
use std::io;

/// A path below www/, and the file's bytes.
pub type File = (String, Vec<u8>);

/// Returns a page with a `modulepreload` link for each module that it needs at once.
///
/// The static imports of its script come first, then the modules that the script itself imports dynamically. Modules
/// that other modules import dynamically are loaded when they are needed.
///
/// # Errors
/// Returns an error if an imported module is missing.
pub fn fill_preload(page: &str, files: &[File]) -> io::Result<String> {
    let (_, script) = page.split_once("<script type=\"module\" src=\"/").unwrap_or_default();
    let script = script.split('"').next().unwrap_or_default();
    let mut found = vec![script.to_owned()];
    imports(script, files, &mut found)?;
    let first = found.len();
    for module in named(script, "import(\"", files)? {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, &mut found)?;
        }
    }
    let line = |(at, module): (usize, &String)| {
        let low = if at < first { "" } else { " fetchpriority=\"low\"" };
        format!("<link rel=\"modulepreload\" href=\"/{module}\"{low}>")
    };
    let lines = found.iter().enumerate().skip(1).map(line).collect::<Vec<_>>().join("\n    ");
    Ok(page.replace("<!-- {{preload}} -->", &lines))
}

/// Adds the modules that a module imports statically to `found`, recursively.
///
/// # Errors
/// Returns an error if a module is missing.
fn imports(of: &str, files: &[File], found: &mut Vec<String>) -> io::Result<()> {
    for module in named(of, " from \"", files)? {
        if !found.contains(&module) {
            found.push(module.clone());
            imports(&module, files, found)?;
        }
    }
    Ok(())
}

/// Returns the modules that a module names after each `before`, such as ` from "`.
///
/// # Errors
/// Returns an error if the module itself is missing.
fn named(of: &str, before: &str, files: &[File]) -> io::Result<Vec<String>> {
    let file = files.iter().find(|(path, _)| path == of);
    let (_, bytes) = file.ok_or_else(|| io::Error::other(format!("www/{of} is imported, but not there")))?;
    let code = strip_comments(&String::from_utf8_lossy(bytes))?;
    let rest = code.split(before).skip(1);
    Ok(rest.filter_map(|rest| Some(resolve(of, rest.split_once('"')?.0))).collect())
}

/// Resolves a relative import of a module to a path below www/.
fn resolve(module: &str, address: &str) -> String {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
