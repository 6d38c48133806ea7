//! The queue of messages to one client: at most one view, always the newest, and a few other frames.
//!
//! The hub holds the [`Outbox`], the client's connection the [`Mailbox`]. Both live on the one executor thread, so the
//! queue needs no lock. A frame is printed once and shared without copies.

use crate::limits::CONTROLS_MAX;
use async_tungstenite::tungstenite::Utf8Bytes;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A printed message, shared by all clients that receive it.
pub type Frame = Utf8Bytes;

/// The next thing that a connection has to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Out {
    /// Send this text frame.
    Frame(Frame),
    /// Send a close frame with this code (RFC 6455, 7.4.1), and end.
    Close(u16),
}

#[derive(Debug, Default)]
struct Queue {
    controls: VecDeque<Frame>,
    view: Option<Frame>,
    close: Option<u16>,
    /// Whether the hub has seated the client.
    seated: bool,
    /// The waker of the connection's task while it waits. A channel would allocate a listener for each view.
    waker: Option<Waker>,
    /// Whether the hub has dropped its end.
    closed: bool,
}

/// The hub's end of the queue.
#[derive(Debug)]
pub struct Outbox(Rc<RefCell<Queue>>);

/// The connection's end of the queue.
#[derive(Debug)]
pub struct Mailbox(Rc<RefCell<Queue>>);

/// Returns the two ends of a new queue.
pub fn outbox() -> (Outbox, Mailbox) {
    let waiting = Rc::new(RefCell::new(Queue::default()));
    (Outbox(waiting.clone()), Mailbox(waiting))
}

impl Outbox {
    /// Sends a view. It replaces one that still waits, since every view is complete.
    pub fn send_view(&self, frame: Frame) {
        self.change(|waiting| waiting.view = Some(frame));
    }

    /// Sends any other message, in order and before a waiting view. If [`CONTROLS_MAX`] of them wait already, the
    /// oldest one is dropped.
    pub fn send(&self, frame: Frame) {
        self.change(|waiting| {
            if waiting.controls.len() == CONTROLS_MAX {
                waiting.controls.pop_front();
            }
            waiting.controls.push_back(frame);
        });
    }

    /// Closes the connection with this code after the messages before it. No view follows.
    pub fn close(&self, code: u16) {
        self.change(|waiting| {
            waiting.view = None;
            waiting.close.get_or_insert(code);
        });
    }

    /// Sets whether the client is a person or TV of a room. The connection of any other client is evictable.
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
    /// Waits for the next thing to do, and takes it. Dropping the future loses nothing.
    pub async fn next(&self) -> Out {
        poll_fn(|cx| match self.take() {
            Some(out) => Poll::Ready(out),
            None => self.wait(cx, |waiting| waiting.closed).map(|()| Out::Close(1001)),
        })
        .await
    }

    /// Takes the next thing to do without waiting, if there is one.
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

    /// Waits until the hub closes the connection, so that a writer stuck in a send can give up. The queue stays as it is.
    pub async fn closing(&self) {
        poll_fn(|cx| self.wait(cx, |waiting| waiting.close.is_some() || waiting.closed)).await;
    }

    /// Polls until the condition holds. Only one task waits for a mailbox, that of its connection.
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
