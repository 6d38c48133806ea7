//! Checks that the filter allows real given and family names by country (`tests/vectors/names_of_peoples.txt`).

use doozer_box::room::names::{WordFilter, clean};

/// Names out of a thousand that may be refused in any country.
const REFUSED_PER_MILLE: usize = 2;

#[test]
fn a_tv_shows_the_names_of_whole_peoples() {
    let filter = WordFilter::default();
    let mut countries = 0;
    let mut faults = Vec::new();
    for line in include_str!("vectors/names_of_peoples.txt").lines() {
        let (country, names) = line.split_once(' ').unwrap();
        let names: Vec<_> = names.split(',').collect();
        let refused: Vec<_> =
            names.iter().filter(|name| clean(name).is_none_or(|nick| !filter.allows(&nick))).collect();
        countries += 1;
        assert!(names.len() > 200, "{country}: only {} names", names.len());
        println!("{country}: {} of {} refused {refused:?}", refused.len(), names.len());
        if refused.len() * 1_000 > names.len() * REFUSED_PER_MILLE {
            faults.push(format!("{country}: {refused:?}"));
        }
    }
    assert!(countries >= 60, "only {countries} countries");
    assert!(faults.is_empty(), "{faults:#?}");
}
