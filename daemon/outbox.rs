//! What waits to be sent to one page: at most one view, always the newest, and a few other frames.
//!
//! The hub holds the [`Outbox`], the page's connection the [`Mailbox`]. Both live on the one executor
//! thread, so there is no lock and nothing is copied: a frame is printed once and shared.

use crate::limits::CONTROLS_MAX;
use async_tungstenite::tungstenite::Utf8Bytes;
use smol::channel::{Receiver, Sender, bounded};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// One printed message, shared by all pages that get the same.
pub type Frame = Utf8Bytes;

/// What a connection has to do next.
#[derive(Debug, PartialEq, Eq)]
pub enum Out {
    /// Send this text frame.
    Frame(Frame),
    /// Send a close frame with this code, and end.
    Close(u16),
}

#[derive(Debug, Default)]
struct Waiting {
    controls: VecDeque<Frame>,
    view: Option<Frame>,
    close: Option<u16>,
}

/// The hub's end.
#[derive(Clone, Debug)]
pub struct Outbox {
    waiting: Rc<RefCell<Waiting>>,
    bell: Sender<()>,
}

/// The connection's end.
#[derive(Debug)]
pub struct Mailbox {
    waiting: Rc<RefCell<Waiting>>,
    bell: Receiver<()>,
}

/// A new pair of ends.
pub fn outbox() -> (Outbox, Mailbox) {
    let waiting = Rc::new(RefCell::new(Waiting::default()));
    let (ring, bell) = bounded(1);
    (Outbox { waiting: waiting.clone(), bell: ring }, Mailbox { waiting, bell })
}

impl Outbox {
    /// Sends a view: one that still waits is replaced, since every view is a whole picture.
    pub fn view(&self, frame: Frame) {
        self.waiting.borrow_mut().view = Some(frame);
        self.ring();
    }

    /// Sends any other message, in order and before the view that waits. A page that reads nothing
    /// loses the oldest of more than [`CONTROLS_MAX`].
    pub fn tell(&self, frame: Frame) {
        let mut waiting = self.waiting.borrow_mut();
        if waiting.controls.len() == CONTROLS_MAX {
            waiting.controls.pop_front();
        }
        waiting.controls.push_back(frame);
        drop(waiting);
        self.ring();
    }

    /// Closes the connection with this code once the messages before it are out; no view follows.
    pub fn close(&self, code: u16) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.view = None;
        waiting.close.get_or_insert(code);
        drop(waiting);
        self.ring();
    }

    fn ring(&self) {
        // Full means that the connection has been rung already.
        let _ = self.bell.try_send(());
    }
}

impl Mailbox {
    /// What to do next, waiting until there is something. Dropping the future loses nothing.
    pub async fn next(&self) -> Out {
        loop {
            if let Some(out) = self.take() {
                return out;
            }
            if self.bell.recv().await.is_err() {
                return self.take().unwrap_or(Out::Close(1001));
            }
        }
    }

    /// What to do next, if there is something now.
    pub fn take(&self) -> Option<Out> {
        let mut waiting = self.waiting.borrow_mut();
        if let Some(frame) = waiting.controls.pop_front() {
            return Some(Out::Frame(frame));
        }
        if let Some(code) = waiting.close {
            return Some(Out::Close(code));
        }
        waiting.view.take().map(Out::Frame)
    }

    /// Waits until a close waits: a writer that is stuck in a send gives up then. Takes nothing.
    pub async fn closing(&self) {
        // What else rings meanwhile is found by `next`, which looks before it waits for the bell.
        while self.waiting.borrow().close.is_none() {
            if self.bell.recv().await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_view_wins_and_controls_keep_their_order() {
        let (out, mail) = outbox();
        out.view("old".into());
        out.tell("a".into());
        out.tell("b".into());
        out.view("new".into());
        let got: Vec<_> = std::iter::from_fn(|| mail.take()).collect();
        assert_eq!(got, ["a", "b", "new"].map(|f| Out::Frame(f.into())));
    }

    #[test]
    fn a_close_comes_after_the_goodbye_and_instead_of_a_view() {
        let (out, mail) = outbox();
        out.view("view".into());
        out.tell("bye".into());
        out.close(1000);
        assert_eq!(mail.take(), Some(Out::Frame("bye".into())));
        assert_eq!(smol::block_on(mail.next()), Out::Close(1000));
    }

    #[test]
    fn waiting_for_a_close_takes_nothing() {
        let (out, mail) = outbox();
        out.tell("bye".into());
        out.close(1000);
        smol::block_on(mail.closing());
        assert_eq!(smol::block_on(mail.next()), Out::Frame("bye".into()));
        assert_eq!(smol::block_on(mail.next()), Out::Close(1000));
    }

    #[test]
    fn a_reader_that_never_reads_holds_a_bounded_number_of_frames() {
        let (out, mail) = outbox();
        for i in 0..1_000 {
            out.tell(i.to_string().into());
            out.view(i.to_string().into());
        }
        assert_eq!(std::iter::from_fn(|| mail.take()).count(), CONTROLS_MAX + 1);
    }
}
