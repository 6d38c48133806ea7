//! The venue's opening hours, and when the TV is to be switched by them.

use crate::limits::Ms;
use std::fmt;

const MINUTES_PER_HOUR: u16 = 60;
const MINUTES_PER_DAY: u16 = 24 * MINUTES_PER_HOUR;
/// Time after a start outside the hours in which the TV stays on, so that the box can be set up.
const GRACE_MS: Ms = 600_000;
/// Tries to switch the TV. A TV that does not answer will not answer all night.
const TRIES: u8 = 5;

/// Daily opening hours, in minutes after midnight by the clock on the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningHours {
    opens: u16,
    closes: u16,
}

impl OpeningHours {
    /// Parses a text such as `17:00-02:00`. The closing time may be on the next day. `24:00` is midnight.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(text: &str) -> Result<OpeningHours, String> {
        let times = text.split_once('-').and_then(|(opens, closes)| Some((minute(opens)?, minute(closes)?)));
        match times {
            Some((opens, closes)) if opens != closes => Ok(OpeningHours { opens, closes }),
            _ => Err(format!("{text:?} is not a time of opening and one of closing, like 17:00-02:00")),
        }
    }

    /// Returns whether the venue is open at this minute of the day. It is closed in the minute of closing.
    pub fn is_open(self, minute: u16) -> bool {
        if self.opens < self.closes {
            (self.opens..self.closes).contains(&minute)
        } else {
            minute >= self.opens || minute < self.closes
        }
    }
}

/// Parses a time of the day such as `17:00`.
fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':')?;
    let number = |digits: &str, max| {
        let plain = matches!(digits.len(), 1..=2) && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse::<u16>().ok().filter(|n| plain && *n <= max)
    };
    let (hour, minute) = (number(hour, 24)?, number(minute, MINUTES_PER_HOUR - 1)?);
    let total = hour * MINUTES_PER_HOUR + minute;
    (total <= MINUTES_PER_DAY).then_some(total % MINUTES_PER_DAY)
}

/// Prints the hours in the form that [`OpeningHours::parse`] accepts.
impl fmt::Display for OpeningHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [opens, closes] = [self.opens, self.closes]
            .map(|m| format!("{:02}:{:02}", m / MINUTES_PER_HOUR, m % MINUTES_PER_HOUR));
        write!(f, "{opens}-{closes}")
    }
}

/// Decides when the TV is switched on or off. It is switched once at opening and once at closing, so that the staff can
/// switch it as they like in between.
#[derive(Debug)]
pub struct Schedule {
    hours: OpeningHours,
    started: Ms,
    /// Whether the venue was open at the last look, or `None` before the first.
    open: Option<bool>,
    due: Option<Due>,
}

/// The state that the TV is to get.
#[derive(Clone, Copy, Debug)]
struct Due {
    on: bool,
    /// The time before which the TV stays as it is.
    from: Ms,
    /// Tries that are left.
    tries: u8,
}

impl Schedule {
    /// Returns the schedule of a daemon that starts now.
    pub fn new(hours: OpeningHours, now: Ms) -> Schedule {
        Schedule { hours, started: now, open: None, due: None }
    }

    /// Returns whether the TV is to be switched on (true) or off now.
    ///
    /// `minute` is the minute of the day, or `None` while the box does not know the time. While `playing`, the TV is not
    /// switched off. After the TV was switched, call [`Schedule::switched`], otherwise this is tried again.
    pub fn next(&mut self, minute: Option<u16>, playing: bool, now: Ms) -> Option<bool> {
        let open = self.hours.is_open(minute?);
        match self.open.replace(open) {
            Some(before) if before != open => self.due = Some(Due { on: open, from: now, tries: TRIES }),
            // A start in the middle of the hours leaves the TV as it is.
            None if !open => self.due = Some(Due { on: false, from: self.started + GRACE_MS, tries: TRIES }),
            _ => {}
        }
        let due = self.due.as_mut().filter(|due| now >= due.from && (due.on || !playing))?;
        due.tries -= 1;
        let Due { on, tries, .. } = *due;
        if tries == 0 {
            self.due = None;
        }
        Some(on)
    }

    /// Notes that the TV was switched.
    pub fn switched(&mut self) {
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Ms = 5 * GRACE_MS;

    fn at(text: &str) -> Option<u16> {
        Some(minute(text).unwrap())
    }

    fn bar() -> OpeningHours {
        OpeningHours::parse("17:00-02:00").unwrap()
    }

    #[test]
    fn hours_are_read_as_an_owner_writes_them() {
        for (text, printed) in
            [("17:00-02:00", "17:00-02:00"), (" 9:30 - 24:00 ", "09:30-00:00"), ("0:00-23:59", "00:00-23:59")]
        {
            assert_eq!(OpeningHours::parse(text).unwrap().to_string(), printed);
        }
        for wrong in
            ["", "17:00", "17:00-17:00", "17-2", "25:00-02:00", "17:60-02:00", "24:01-02:00", "0:00-24:00"]
        {
            assert!(OpeningHours::parse(wrong).unwrap_err().contains("like 17:00-02:00"), "{wrong}");
        }
        for wrong in ["+7:00-02:00", "017:00-02:00", "17:00-02:00-03:00", "5pm-2am", "17.00-02.00"] {
            assert!(OpeningHours::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_hours_go_over_midnight() {
        let day = OpeningHours::parse("10:00-18:00").unwrap();
        let open = |hours: OpeningHours, text| hours.is_open(at(text).unwrap());
        assert_eq!(["9:59", "10:00", "17:59", "18:00"].map(|t| open(day, t)), [false, true, true, false]);
        let night = ["16:59", "17:00", "23:59", "0:00", "1:59", "2:00", "12:00"];
        assert_eq!(night.map(|t| open(bar(), t)), [false, true, true, true, true, false, false]);
    }

    #[test]
    fn the_tv_is_switched_once_at_each_end_of_the_evening() {
        let mut schedule = Schedule::new(bar(), 0);
        assert_eq!(schedule.next(at("16:59"), false, 0), None, "just started");
        assert_eq!(schedule.next(at("17:00"), false, 60_000), Some(true));
        schedule.switched();
        for time in ["17:01", "23:59", "1:59"] {
            assert_eq!(schedule.next(at(time), false, LATE), None, "{time}");
        }
        assert_eq!(schedule.next(at("2:00"), false, LATE), Some(false));
        schedule.switched();
        // The staff may switch the TV on again for themselves.
        assert_eq!(schedule.next(at("2:01"), false, LATE), None);
        assert_eq!(schedule.next(at("17:00"), false, LATE), Some(true));
    }

    #[test]
    fn a_game_in_progress_is_played_to_its_end() {
        let mut schedule = Schedule::new(bar(), 0);
        assert_eq!(schedule.next(at("1:59"), true, LATE), None);
        assert_eq!(schedule.next(at("2:00"), true, LATE), None);
        assert_eq!(schedule.next(at("2:04"), true, LATE), None);
        assert_eq!(schedule.next(at("2:05"), false, LATE), Some(false));
        schedule.switched();
        let mut all_day = Schedule::new(bar(), 0);
        all_day.next(at("1:59"), true, LATE);
        all_day.next(at("2:00"), true, LATE);
        assert_eq!(all_day.next(at("17:00"), true, LATE), Some(true), "a game does not delay the opening");
    }

    #[test]
    fn a_start_outside_the_hours_leaves_time_to_set_the_box_up() {
        let mut schedule = Schedule::new(bar(), 1_000);
        assert_eq!(schedule.next(at("12:00"), false, 1_000), None);
        assert_eq!(schedule.next(at("12:09"), false, GRACE_MS), None);
        assert_eq!(schedule.next(at("12:10"), false, 1_000 + GRACE_MS), Some(false));
        let mut within = Schedule::new(bar(), 0);
        assert_eq!(within.next(at("18:00"), false, LATE), None, "the TV may show something else");
    }

    #[test]
    fn nothing_is_switched_before_the_time_is_known() {
        let mut schedule = Schedule::new(bar(), 0);
        assert_eq!(schedule.next(None, false, LATE), None);
        assert_eq!(schedule.next(at("3:00"), false, LATE), Some(false));
    }

    #[test]
    fn a_tv_that_does_not_answer_is_tried_a_few_times() {
        let mut schedule = Schedule::new(bar(), 0);
        schedule.next(at("1:00"), false, LATE);
        let tries = (0..100).filter(|_| schedule.next(at("2:00"), false, LATE).is_some()).count();
        assert_eq!(tries, usize::from(TRIES));
    }
}
