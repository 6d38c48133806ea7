//! Median and spread of several measurements.

use std::fmt;

/// Returns the percentile `part` of the values, which get sorted.
pub(crate) fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part / 100.0) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// Median, least and largest value.
pub(crate) struct Spread([f64; 3]);

impl Spread {
    pub(crate) fn of(values: &[f64]) -> Spread {
        let mut values = values.to_vec();
        Spread([50.0, 0.0, 100.0].map(|part| percentile(&mut values, part)))
    }

    /// Returns the spread of the quotients of paired measurements.
    pub(crate) fn ratio(of: &[f64], to: &[f64]) -> Spread {
        Spread::of(&of.iter().zip(to).map(|(of, to)| of / to).collect::<Vec<_>>())
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [middle, least, most] = self.0;
        let digits = if most < 10.0 {
            2
        } else if most < 100.0 {
            1
        } else {
            0
        };
        write!(f, "{middle:.digits$} ({least:.digits$} – {most:.digits$})")
    }
}
