//! What is measured, and from outside: whole commands.

use std::ffi::OsString;
use std::path::Path;

use crate::child::{Cost, Run};
use crate::plain::{Decided, MARKED, Mark};
use crate::report::{Duel, Figure, Report};
use crate::stopwatch::Span;
use crate::workshop::Workshop;
use crate::{Options, Outcome, clips, held, inside, tasks};

/// The names that `--only` knows, in the order in which they are measured.
pub(crate) const NAMES: [&str; 9] =
    ["fused", "framed", "tile", "copy", "preview", "cold", "inside", "tasks", "held"];

/// Every frame and every sound is encoded, as plain ffmpeg does it here.
const ENCODE_ALL: &str = "[plugins.encode-standard.parameters]\ncopy = \"never\"\n";

/// The distance between two marks of the tiled picture, and how many there are each way.
const TILE: (u32, u32) = (480, 270);
const TILES: u32 = 5;

/// Measures what is asked for.
pub(crate) fn run(options: &Options, workshop: &Workshop, report: &mut Report) -> Outcome {
    let case = Case { options, workshop };
    if ["fused", "framed", "tile"].iter().any(|name| options.wants(name)) {
        case.drawn(report)?;
    }
    if options.wants("copy") {
        case.copied(report)?;
    }
    if options.wants("preview") {
        case.preview(report)?;
    }
    if options.wants("cold") {
        case.cold(report)?;
    }
    if options.wants("inside") {
        inside::run(options, workshop, report)?;
    }
    if options.wants("tasks") {
        tasks::run(options, workshop, report)?;
    }
    if options.wants("held") {
        held::run(options, workshop, report)?;
    }
    Ok(())
}

fn spans(costs: &[Cost]) -> Vec<Span> {
    costs.iter().map(|cost| Span { wall: cost.wall, cpu: cost.cpu }).collect()
}

struct Case<'a> {
    options: &'a Options,
    workshop: &'a Workshop,
}

impl Case<'_> {
    /// Marks that are drawn by ffmpeg, and by plugins.
    fn drawn(&self, report: &mut Report) -> Outcome {
        let Self { options, workshop } = *self;
        let source = clips::film(workshop, options.seconds())?;
        let chain = workshop.chain("fused.toml", ENCODE_ALL)?;
        let decided = Decided::ask(workshop, &source, &chain)?;
        if options.wants("fused") {
            let plain = decided.plain(workshop, &source, Some(&decided.mark))?;
            let ours = self.approved(&source, &chain);
            report.duel(self.duel("fused", &ours, &plain, 1.03)?);
        }
        if options.wants("framed") {
            self.framed(report, &source)?;
        }
        if options.wants("tile") {
            let Some(_) = workshop.plugin("watermark-tile") else {
                eprintln!("tile: the plugin watermark-tile is not built.");
                return Ok(());
            };
            let contents = format!("[chain]\nwatermark = \"watermark-tile\"\n{ENCODE_ALL}");
            let ours = self.approved(&source, &workshop.chain("tile.toml", &contents)?);
            let plain = decided.plain(workshop, &source, Some(&self.tiles(&decided.mark)?))?;
            report.duel(self.duel("tile", &ours, &plain, 1.15)?);
        }
        Ok(())
    }

    /// A plugin for tests that draws nothing, or what it has ffmpeg draw in another mode.
    fn framed(&self, report: &mut Report, source: &Path) -> Outcome {
        let Self { workshop, .. } = *self;
        let Some(fixture) = workshop.fixture("hostile") else {
            eprintln!("framed: the plugin for tests is not built.");
            return Ok(());
        };
        let chain = |stage: &str, mode: &str| {
            let contents = format!(
                "[chain]\nwatermark = {fixture:?}\n{ENCODE_ALL}\
                 [plugins.hostile.parameters]\nstage = {stage:?}\nmode = {mode:?}\n"
            );
            workshop.chain(&format!("{mode}.toml"), &contents)
        };
        let decided = Decided::ask(workshop, source, &chain("watermark", "overlay_blit")?)?;
        for (name, mode, mark) in [
            ("framed", "frames_blit", Some(&decided.mark)),
            ("framed, untouched", "frames_identity", None),
        ] {
            let ours = self.approved(source, &chain("filter", mode)?);
            let plain = decided.plain(workshop, source, mark)?;
            report.duel(self.duel(name, &ours, &plain, 1.15)?);
        }
        Ok(())
    }

    /// A render with a mark that nobody looks at.
    fn approved(&self, source: &Path, chain: &Path) -> Run {
        let mut run = self.workshop.render(source, Some(chain), &MARKED);
        run.words.extend(["--approve", "yes"].map(OsString::from));
        run
    }

    /// The mark many times over in a picture that is larger than the raster and moves slowly.
    fn tiles(&self, mark: &Mark) -> Outcome<Mark> {
        let (width, height) = TILE;
        let file = self.workshop.file("tiles.png");
        let graph = format!(
            "format=rgba,pad={width}:{height}:color=black@0,loop=loop=-1:size=1,tile={TILES}x{TILES}"
        );
        let words = ["-i".into(), mark.file.clone().into(), "-vf".into(), graph.into()];
        let mut words: Vec<OsString> = words.into();
        words.extend(["-frames:v".into(), "1".into(), file.clone().into()]);
        self.workshop.ffmpeg(words).once()?;
        Ok(Mark { file, x: format!("'-mod(n,{width})'"), y: format!("'-mod(n,{height})'") })
    }

    /// A source of which nothing is changed.
    fn copied(&self, report: &mut Report) -> Outcome {
        let Self { workshop, .. } = *self;
        let source = clips::three_minutes(workshop)?;
        let ours = workshop.render(&source, None, &["--resolution", "1080p"]);
        let mut words: Vec<OsString> = vec!["-i".into(), source.into()];
        words.extend(["-c", "copy", "-movflags", "+faststart"].map(OsString::from));
        words.push(workshop.output("plain.mp4").into());
        let plain = workshop.ffmpeg(words);
        report.duel(self.duel("copy, 3 minutes", &ours, &plain, 1.3)?);
        Ok(())
    }

    /// From the command to the question.
    fn preview(&self, report: &mut Report) -> Outcome {
        let Self { workshop, .. } = *self;
        let sources = [
            ("3 minutes of 1080p", clips::three_minutes(workshop)?),
            ("3 hours", clips::three_hours(workshop)?),
        ];
        for (name, source) in sources {
            let mut ask = workshop.render(&source, None, &MARKED);
            ask.words.extend(["--approve", "later"].map(OsString::from));
            ask.exits_with = 7;
            let costs = self.alone(&ask)?;
            let name = format!("time to preview, {name}");
            report.figure(Figure::times(name, "s", &spans(&costs), Some(1.0)));
        }
        Ok(())
    }

    /// The first start of all, and every other.
    fn cold(&self, report: &mut Report) -> Outcome {
        let Self { workshop, .. } = *self;
        let list = |cache: &Path, fresh| Run {
            words: vec![workshop.program().into(), "plugin".into(), "list".into()],
            environment: vec![("XDG_CACHE_HOME", cache.into())],
            fresh: if fresh { vec![cache.to_owned()] } else { Vec::new() },
            ..Run::default()
        };
        let cache = workshop.file("cold-cache");
        for (name, run) in [
            ("plugin list, nothing compiled yet", list(&cache, true)),
            ("plugin list, compiled before", list(&cache, false)),
        ] {
            let costs = self.alone(&run)?;
            report.figure(Figure::times(name, "s", &spans(&costs), None));
            let samples = costs.iter().map(|cost| cost.own_peak).collect();
            let name = format!("memory of {name}");
            report.figure(Figure { name, unit: "MiB", samples, cpu: Vec::new(), target: None });
        }
        Ok(())
    }

    /// Runs one side and the other in turn, so that both meet the same disturbances; which goes
    /// first changes, so that neither always follows the other.
    fn duel(&self, name: &'static str, ours: &Run, plain: &Run, target: f64) -> Outcome<Duel> {
        eprintln!("Measuring {name}.");
        // Files come into memory, plugins are compiled.
        ours.once()?;
        plain.once()?;
        let (mut our_costs, mut plain_costs) = (Vec::new(), Vec::new());
        for run in 0..self.options.runs() {
            if run % 2 == 0 {
                our_costs.push(ours.once()?);
                plain_costs.push(plain.once()?);
            } else {
                plain_costs.push(plain.once()?);
                our_costs.push(ours.once()?);
            }
        }
        let commands = [ours.line(), plain.line()];
        Ok(Duel { name, ours: our_costs, plain: plain_costs, target, commands })
    }

    fn alone(&self, run: &Run) -> Outcome<Vec<Cost>> {
        eprintln!("Measuring {}.", run.line());
        run.once()?;
        (0..self.options.runs()).map(|_| run.once()).collect()
    }
}
