//! Logs to systemd's journal with structured fields if it is there, and to standard error otherwise.
//!
//! A journal that hangs must not stop a game. So a separate thread writes the records from a bounded queue. If the
//! queue is full, records are dropped and their number is logged later.

use log::kv::{self, Key, Value, VisitSource};
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use systemd_journal_logger::{JournalLog, connected_to_journal};

/// Records that may wait for the journal, in well under a megabyte.
const RECORDS_MAX: usize = 256;
/// Bytes of a message. Longer ones are cut.
const MESSAGE_BYTES_MAX: usize = 1_024;
/// Bytes of a field's value.
const FIELD_BYTES_MAX: usize = 256;
/// Fields of a record.
const FIELDS_MAX: usize = 16;
/// Warnings that are remembered for the owner.
const WARNINGS_MAX: usize = 20;
/// The last warnings.
static WARNINGS: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());
/// Longest wait for the last records when the daemon ends.
const FLUSH_MAX: Duration = Duration::from_millis(500);

/// Starts logging for the process. Records less severe than `level` are not created. Later calls change nothing.
pub fn init(level: LevelFilter) {
    let journal = if connected_to_journal() { JournalLog::new().ok() } else { None };
    let writer = move |record: &LogRecord| match &journal {
        Some(journal) if record.send(journal) => {}
        _ => record.print(),
    };
    let Ok(logger) = Queue::start(writer) else { return };
    if log::set_boxed_logger(Box::new(logger)).is_ok() {
        log::set_max_level(level);
    }
}

/// Returns the last warnings and errors, the newest last.
pub fn warnings() -> Vec<String> {
    let kept = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter().cloned().collect()
}

/// Waits until the records so far are written, for at most half a second.
pub fn flush() {
    log::logger().flush();
}

/// A record in the queue, escaped and cut.
#[derive(Clone, Debug)]
struct LogRecord {
    level: Level,
    target: Cow<'static, str>,
    file: Option<&'static str>,
    line: Option<u32>,
    message: String,
    fields: Vec<(String, String)>,
}

impl LogRecord {
    fn of(record: &Record<'_>) -> Self {
        let mut fields = Fields(Vec::new());
        // The only possible error is our own, for too many fields.
        let _ = record.key_values().visit(&mut fields);
        let target = record.module_path_static().filter(|path| *path == record.target());
        Self {
            level: record.level(),
            target: target.map_or_else(|| clean(record.target(), FIELD_BYTES_MAX).into(), Cow::Borrowed),
            file: record.file_static(),
            line: record.line(),
            message: clean(&record.args().to_string(), MESSAGE_BYTES_MAX),
            fields: fields.0,
        }
    }

    /// Sends the record to the journal. Returns whether the journal has accepted it.
    fn send(&self, journal: &JournalLog) -> bool {
        let fields: Vec<(Key<'_>, Value<'_>)> = self
            .fields
            .iter()
            .map(|(key, value)| (Key::from_str(key), Value::from(value.as_str())))
            .collect();
        let mut record = Record::builder();
        record
            .level(self.level)
            .target(&self.target)
            .file_static(self.file)
            .line(self.line)
            .key_values(&fields);
        journal.journal_send(&record.args(format_args!("{}", self.message)).build()).is_ok()
    }

    /// Prints the record to standard error. Errors are ignored, because it may be closed.
    fn print(&self) {
        let mut text = format!("{}: {}", self.level.as_str().to_ascii_lowercase(), self.message);
        for (key, value) in &self.fields {
            text.extend([" ", key, "=", value]);
        }
        text.push('\n');
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

struct Fields(Vec<(String, String)>);

impl<'kvs> VisitSource<'kvs> for Fields {
    fn visit_pair(&mut self, key: Key<'kvs>, value: Value<'kvs>) -> Result<(), kv::Error> {
        if self.0.len() == FIELDS_MAX {
            return Err(kv::Error::msg("enough"));
        }
        self.0.push((clean(key.as_str(), 64), clean(&value.to_string(), FIELD_BYTES_MAX)));
        Ok(())
    }
}

/// Returns the text without line breaks, terminal codes and invisible characters, cut to `max` bytes.
fn clean(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    for c in text.chars() {
        let before = out.len();
        if c.is_control() || hides(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
        if out.len() > max {
            out.truncate(before);
            out.push('…');
            break;
        }
    }
    out
}

/// Returns whether a character is invisible or changes the direction of the text.
fn hides(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{AD}')
}

enum Job {
    Write(LogRecord),
    Flush(SyncSender<()>),
}

/// The logger of the process. It never blocks its caller.
struct Queue {
    jobs: SyncSender<Job>,
    dropped: std::sync::Arc<AtomicU64>,
}

impl Queue {
    fn start(write: impl Fn(&LogRecord) + Send + 'static) -> std::io::Result<Self> {
        let (jobs, waiting) = sync_channel(RECORDS_MAX);
        let dropped = std::sync::Arc::new(AtomicU64::new(0));
        let count = dropped.clone();
        thread::Builder::new().name("journal".into()).spawn(move || run(&waiting, &count, write))?;
        Ok(Self { jobs, dropped })
    }
}

fn run(jobs: &Receiver<Job>, dropped: &AtomicU64, write: impl Fn(&LogRecord)) {
    for job in jobs {
        match job {
            Job::Write(record) => write(&record),
            Job::Flush(done) => drop(done),
        }
        let count = dropped.swap(0, Ordering::Relaxed);
        if count > 0 {
            write(&LogRecord {
                level: Level::Warn,
                target: module_path!().into(),
                file: None,
                line: None,
                message: format!("{count} log lines were dropped: the journal did not keep up"),
                fields: vec![("event".into(), "dropped".into()), ("count".into(), count.to_string())],
            });
        }
    }
}

impl Log for Queue {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let record_kept = LogRecord::of(record);
        if record_kept.level <= Level::Warn {
            let mut kept = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == WARNINGS_MAX {
                kept.pop_front();
            }
            kept.push_back(record_kept.message.clone());
        }
        if let Err(TrySendError::Full(_)) = self.jobs.try_send(Job::Write(record_kept)) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn flush(&self) {
        let (done, written) = sync_channel(0);
        if self.jobs.try_send(Job::Flush(done)).is_ok() {
            // The thread drops the sender when it is done.
            let _ = written.recv_timeout(FLUSH_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex, mpsc};

    fn record<'a>(
        args: std::fmt::Arguments<'a>,
        fields: &'a [(&'a str, &'a str)],
        then: impl FnOnce(&Record<'_>),
    ) {
        then(&Record::builder().level(Level::Error).target("t").args(args).key_values(&fields).build());
    }

    #[test]
    fn fields_and_text_pass_and_cannot_make_lines_or_move_a_terminal() {
        let fields = [("room", "BCDF"), ("players", "7\nMESSAGE=fake\0")];
        record(format_args!("hello\n\u{1b}[2Jthere \u{202e}é✅"), &fields, |record| {
            let logged = LogRecord::of(record);
            assert_eq!(logged.message, "hello\\n\\u{1b}[2Jthere \\u{202e}é✅");
            assert_eq!(logged.fields[0], ("room".into(), "BCDF".into()));
            assert_eq!(logged.fields[1], ("players".into(), "7\\nMESSAGE=fake\\u{0}".into()));
        });
    }

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(clean("ééé", 6), "ééé");
        assert_eq!(clean("éééé", 6), "ééé…");
        assert_eq!(clean("aé", 2), "a…");
        assert_eq!(clean("abc\n", 4), "abc…", "an escape is not cut in two");
        let fields: Vec<(String, String)> = (0..100).map(|i| (i.to_string(), "x".repeat(9_999))).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        record(format_args!("{}", "y".repeat(99_999)), &fields, |record| {
            let logged = LogRecord::of(record);
            let bytes =
                logged.message.len() + logged.fields.iter().map(|(k, v)| k.len() + v.len()).sum::<usize>();
            assert_eq!(logged.fields.len(), FIELDS_MAX);
            assert!(bytes < 8_192, "{bytes}");
        });
    }

    #[test]
    fn a_journal_that_hangs_stops_nobody_and_the_lost_lines_are_counted_once() {
        let (go, gate) = mpsc::channel::<()>();
        let written = Arc::new(Mutex::new(Vec::new()));
        let seen = written.clone();
        let queue = Queue::start(move |record: &LogRecord| {
            // Hangs until the test drops `go`.
            let _ = gate.recv();
            seen.lock().unwrap().push(record.message.clone());
        })
        .unwrap();
        log::set_max_level(LevelFilter::Info);
        let lines = RECORDS_MAX + 100;
        for i in 0..lines {
            record(format_args!("line {i}"), &[], |record| queue.log(record));
        }
        let lost = queue.dropped.load(Ordering::Relaxed);
        // The writer may have taken one record, the others wait.
        assert!((99..=100).contains(&lost), "{lost}");
        drop(go);
        while queue.dropped.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        // The queue has room only after the writer has taken a record.
        while written.lock().unwrap().len() < lines - usize::try_from(lost).unwrap() + 1 {
            thread::yield_now();
        }
        queue.flush();
        let written = written.lock().unwrap();
        let reports: Vec<_> = written.iter().filter(|text| text.contains("dropped")).collect();
        assert_eq!(reports, [&format!("{lost} log lines were dropped: the journal did not keep up")]);
        assert_eq!(written.first().unwrap(), "line 0");
    }
}
