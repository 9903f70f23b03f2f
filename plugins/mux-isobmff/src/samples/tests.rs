use super::*;

fn table(times: &[(i64, i64)]) -> Result<SampleTable, TrackProblem> {
    let mut samples = Samples::default();
    for (number, (dts, pts)) in times.iter().copied().enumerate() {
        let packet = Packet { track: 0, dts, pts, duration: 10, size: 100, is_sync: number == 0 };
        samples.push(&packet, 100)?;
    }
    samples.finish()
}

fn offsets(table: &SampleTable) -> Vec<(u32, u32)> {
    table.composition_offsets().collect()
}

#[test]
fn reordered_frames_enter_where_the_first_is_presented() {
    let table = table(&[(-20, 0), (-10, 40), (0, 20), (10, 10), (20, 30)]).unwrap();
    assert_eq!((table.entry, table.lead), (20, 0));
    assert_eq!(table.length, 50);
    assert_eq!(table.decode_deltas.iter().collect::<Vec<_>>(), [(5, 10)]);
    assert_eq!(offsets(&table), [(1, 20), (1, 50), (1, 20), (1, 0), (1, 10)]);
    assert!(!table.in_order());
    assert_eq!((table.all_sync, table.sync_numbers.as_slice()), (false, &[1][..]));
}

#[test]
fn priming_is_passed_over() {
    let table = table(&[(-10, -10), (0, 0), (10, 10)]).unwrap();
    assert_eq!((table.entry, table.lead, table.length), (10, 0, 30));
    assert!(table.in_order());
}

#[test]
fn decode_times_may_lie_behind_presentation_times() {
    // As some encoders deliver reordered frames: the first is decoded when it is presented.
    let table = table(&[(0, 0), (10, 30), (20, 10), (30, 20)]).unwrap();
    assert_eq!(offsets(&table), [(1, 10), (1, 30), (2, 0)]);
    assert_eq!((table.entry, table.length), (10, 40));
}

#[test]
fn a_track_that_has_nothing_at_its_beginning_waits() {
    let late = table(&[(5, 5), (15, 15)]).unwrap();
    assert_eq!((late.entry, late.lead, late.length), (0, 5, 20));
    let reordered = table(&[(-5, 5), (5, 25), (15, 15)]).unwrap();
    assert_eq!((reordered.entry, reordered.lead), (10, 5));
}

#[test]
fn uneven_distances_are_kept_and_the_last_is_its_duration() {
    let table = table(&[(0, 0), (7, 7), (14, 14), (30, 30)]).unwrap();
    assert_eq!(table.decode_deltas.iter().collect::<Vec<_>>(), [(2, 7), (1, 16), (1, 10)]);
}

#[test]
fn refuses_what_the_tables_cannot_say() {
    assert_eq!(table(&[]).unwrap_err(), TrackProblem::NoPackets);
    assert_eq!(table(&[(0, 0), (0, 10)]).unwrap_err(), TrackProblem::Order);
    assert_eq!(table(&[(0, 0), (-1, 10)]).unwrap_err(), TrackProblem::Order);
    let far = i64::from(u32::MAX) + 1;
    assert_eq!(table(&[(0, 0), (far, far)]).unwrap_err(), TrackProblem::Time);
    assert_eq!(table(&[(0, far)]).unwrap_err(), TrackProblem::Time);
    assert_eq!(table(&[(i64::MIN, i64::MAX)]).unwrap_err(), TrackProblem::Time);
    assert_eq!(table(&[(i64::MAX, i64::MAX)]).unwrap_err(), TrackProblem::Time);
    assert_eq!(table(&[(i64::MIN, i64::MIN), (0, 0)]).unwrap_err(), TrackProblem::Time);
}

#[test]
fn measures_average_and_peak() {
    let mut samples = Samples::default();
    // Two seconds: 300 bytes in the first, 100 in the second.
    for (dts, size) in [(-50, 100), (0, 200), (50, 50), (100, 50)] {
        let packet = Packet { track: 0, dts, pts: dts, duration: 50, size, is_sync: true };
        samples.push(&packet, 100).unwrap();
    }
    let rate = samples.finish().unwrap().rate;
    assert_eq!((rate.average(100), rate.peak(100), rate.largest()), (1600, 2400, 200));
}
