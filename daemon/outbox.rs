//! What waits to be sent to one page: at most one view, always the newest, and a few other frames.
//!
//! The hub holds the [`Outbox`], the page's connection the [`Mailbox`]. Both live on the one executor
//! thread, so there is no lock and nothing is copied: a frame is printed once and shared.

use crate::limits::CONTROLS_MAX;
use async_tungstenite::tungstenite::Utf8Bytes;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

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
struct Queue {
    controls: VecDeque<Frame>,
    view: Option<Frame>,
    close: Option<u16>,
    /// Whether the hub has seated the client.
    seated: bool,
    /// The connection, while it waits. Plainer than a channel's waker, which a page would ring and make anew for every view.
    waker: Option<Waker>,
    /// The hub has dropped its end.
    closed: bool,
}

/// The hub's end.
#[derive(Debug)]
pub struct Outbox(Rc<RefCell<Queue>>);

/// The connection's end.
#[derive(Debug)]
pub struct Mailbox(Rc<RefCell<Queue>>);

/// A new pair of ends.
pub fn outbox() -> (Outbox, Mailbox) {
    let waiting = Rc::new(RefCell::new(Queue::default()));
    (Outbox(waiting.clone()), Mailbox(waiting))
}

impl Outbox {
    /// Sends a view: one that still waits is replaced, since every view is a whole picture.
    pub fn send_view(&self, frame: Frame) {
        self.change(|waiting| waiting.view = Some(frame));
    }

    /// Sends any other message, in order and before the view that waits. A page that reads nothing
    /// loses the oldest of more than [`CONTROLS_MAX`].
    pub fn send(&self, frame: Frame) {
        self.change(|waiting| {
            if waiting.controls.len() == CONTROLS_MAX {
                waiting.controls.pop_front();
            }
            waiting.controls.push_back(frame);
        });
    }

    /// Closes the connection with this code once the messages before it are out; no view follows.
    pub fn close(&self, code: u16) {
        self.change(|waiting| {
            waiting.view = None;
            waiting.close.get_or_insert(code);
        });
    }

    /// Says whether the client is a person or TV of a room by now. Only such a connection holds its slot.
    pub fn seat(&self, seated: bool) {
        self.change(|waiting| waiting.seated = seated);
    }

    fn change(&self, change: impl FnOnce(&mut Queue)) {
        let mut waiting = self.0.borrow_mut();
        change(&mut waiting);
        let waker = waiting.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        self.change(|waiting| waiting.closed = true);
    }
}

impl Mailbox {
    /// What to do next, waiting until there is something. Dropping the future loses nothing.
    pub async fn next(&self) -> Out {
        poll_fn(|cx| match self.take() {
            Some(out) => Poll::Ready(out),
            None => self.wait(cx, |waiting| waiting.closed).map(|()| Out::Close(1001)),
        })
        .await
    }

    /// What to do next, if there is something now.
    pub fn take(&self) -> Option<Out> {
        let mut waiting = self.0.borrow_mut();
        if let Some(frame) = waiting.controls.pop_front() {
            return Some(Out::Frame(frame));
        }
        if let Some(code) = waiting.close {
            return Some(Out::Close(code));
        }
        waiting.view.take().map(Out::Frame)
    }

    /// Returns whether the hub has seated the client.
    pub fn is_seated(&self) -> bool {
        self.0.borrow().seated
    }

    /// Waits until a close waits: a writer that is stuck in a send gives up then. Takes nothing.
    pub async fn closing(&self) {
        poll_fn(|cx| self.wait(cx, |waiting| waiting.close.is_some() || waiting.closed)).await;
    }

    /// Waits for that. One task alone waits for a mailbox: its connection's.
    fn wait(&self, cx: &Context<'_>, until: impl Fn(&Queue) -> bool) -> Poll<()> {
        let mut waiting = self.0.borrow_mut();
        if until(&waiting) {
            return Poll::Ready(());
        }
        match &mut waiting.waker {
            Some(waker) => waker.clone_from(cx.waker()),
            waker => *waker = Some(cx.waker().clone()),
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_view_wins_and_controls_keep_their_order() {
        let (out, mail) = outbox();
        out.send_view("old".into());
        out.send("a".into());
        out.send("b".into());
        out.send_view("new".into());
        let got: Vec<_> = std::iter::from_fn(|| mail.take()).collect();
        assert_eq!(got, ["a", "b", "new"].map(|f| Out::Frame(f.into())));
    }

    #[test]
    fn a_close_comes_after_the_goodbye_and_instead_of_a_view() {
        let (out, mail) = outbox();
        out.send_view("view".into());
        out.send("bye".into());
        out.close(1000);
        assert_eq!(mail.take(), Some(Out::Frame("bye".into())));
        assert_eq!(smol::block_on(mail.next()), Out::Close(1000));
    }

    #[test]
    fn waiting_for_a_close_takes_nothing() {
        let (out, mail) = outbox();
        out.send("bye".into());
        out.close(1000);
        smol::block_on(mail.closing());
        assert_eq!(smol::block_on(mail.next()), Out::Frame("bye".into()));
        assert_eq!(smol::block_on(mail.next()), Out::Close(1000));
    }

    #[test]
    fn a_reader_that_never_reads_holds_a_bounded_number_of_frames() {
        let (out, mail) = outbox();
        for i in 0..1_000 {
            out.send(i.to_string().into());
            out.send_view(i.to_string().into());
        }
        assert_eq!(std::iter::from_fn(|| mail.take()).count(), CONTROLS_MAX + 1);
    }
}
