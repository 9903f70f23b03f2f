use super::*;

fn pushed(times: impl Iterator<Item = u64>) -> Cues {
    let mut cues = Cues::default();
    times.for_each(|time| cues.push(Cue { time, cluster: time * 1000, relative: 3 }));
    cues
}

#[test]
fn every_place_is_kept_while_they_are_few() {
    let cues = pushed((0..2700).map(|number| number * 4000));
    assert_eq!(cues.points.len(), 2700, "three hours");
}

#[test]
fn too_many_places_are_thinned_evenly_and_reach_the_end() {
    for step in [16, 40, 4000] {
        let end = 3_000_000 * step;
        let cues = pushed((0..=3_000_000).map(|number| number * step));
        let points = &cues.points;
        assert!((MOST / 3..=MOST).contains(&points.len()), "{} points", points.len());
        let gaps = points.windows(2).map(|pair| pair[1].time - pair[0].time);
        let (least, most) = (gaps.clone().min().unwrap(), gaps.max().unwrap());
        assert!(most <= 2 * least, "between {least} and {most}");
        assert_eq!(points[0].time, 0);
        assert!(end - points.last().unwrap().time <= cues.spacing);
        assert!(cues.memory() <= 2 * MOST * size_of::<Cue>());
    }
}

#[test]
fn the_length_of_the_index_does_not_depend_on_where_the_clusters_begin() {
    let cues = pushed(0..100);
    let written = |base| {
        let mut w = Writer::default();
        cues.write(&mut w, 1, base);
        w.finish()
    };
    assert_eq!(written(0).len(), written(1 << 40).len());
}
