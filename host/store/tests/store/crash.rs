//! A server that is killed in the middle of everything. What it said it had
//! done is there afterwards, and nothing else that anybody could see.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use store::*;

use crate::world::{TestClock, answer, artifact, files, keyed, options};

const FOLDER: &str = "STORE_TEST_CRASH_FOLDER";

/// The server that is killed: this test in a process of its own.
#[test]
#[ignore = "started by the test that kills it"]
fn the_victim() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let clock = TestClock::new();
    let store = Arc::new(Sqlite::open(Path::new(&folder), options(&clock)).unwrap());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let actors: Vec<_> = (0..6).map(|actor| tokio::spawn(live(store.clone(), actor))).collect();
        for actor in actors {
            actor.await.unwrap();
        }
    });
}

/// Says what is done, when it is done.
fn say(words: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said {words}").unwrap();
    out.flush().unwrap();
}

async fn live(store: Arc<Sqlite>, actor: u32) {
    let run = std::process::id();
    for turn in 0u32.. {
        let key = format!("{run}-{actor}-{turn}");
        let Admitted::Created(render) = store.admit(keyed("acme", &key, 1)).await.unwrap() else {
            panic!("not new")
        };
        let id = &render.id;
        say(format_args!("{id} admitted {key}"));
        let working = store.claim(id, render.version).await.unwrap().render;
        let plugin =
            store.keep_plugin(format!("component {}", turn % 3).into_bytes()).await.unwrap();
        let question = NewQuestion {
            text: "?".into(),
            deadline: render.expires,
            detail: json!({}),
            state: vec![1],
            pins: json!({}),
            plugins: vec![plugin],
        };
        let preview = Some(artifact(store.as_ref(), ArtifactKind::Preview, id.as_bytes()));
        let asked =
            store.suspend(working.lease(), "ask", json!({}), question, preview).await.unwrap();
        say(format_args!("{id} asked"));
        if turn % 5 == 4 {
            continue;
        }
        let Decided::First(decided) =
            store.decide("acme", id, answer(turn % 2 == 0)).await.unwrap()
        else {
            panic!("not first")
        };
        say(format_args!("{id} decided {}", turn % 2 == 0));
        let working = store.claim(id, asked.version + 1).await.unwrap().render;
        assert_eq!(working.version, decided.version + 1);
        let output = artifact(store.as_ref(), ArtifactKind::Output, &id.as_bytes().repeat(3000));
        store.complete(working.lease(), "end", json!({}), vec![output]).await.unwrap();
        say(format_args!("{id} completed"));
    }
}

#[derive(Default)]
struct Said {
    key: String,
    asked: bool,
    decided: Option<bool>,
    completed: bool,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut said = HashMap::<String, Said>::new();
    let rounds = std::env::var("STORE_TEST_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    for round in 0..rounds {
        run_and_kill(folder.path(), Duration::from_millis(120 + 67 * (round % 9)), &mut said);
        let clock = TestClock::new();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path(), options(&clock)).unwrap());
        check(folder.path(), &store, &said).await;
    }
    let completed = said.values().filter(|render| render.completed).count();
    println!("{rounds} kills, {} renders, {completed} completed", said.len());
    assert!(said.len() > rounds as usize, "the victims hardly lived: {}", said.len());
    assert!(completed > 0);
}

fn run_and_kill(folder: &Path, life: Duration, said: &mut HashMap<String, Said>) {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["crash::the_victim", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(victim.stdout.take().unwrap());
    let reader = std::thread::spawn(move || -> Vec<String> {
        out.lines().map_while(|line| line.ok()).collect()
    });
    std::thread::sleep(life);
    victim.kill().unwrap();
    victim.wait().unwrap();
    for line in reader.join().unwrap() {
        let words: Vec<&str> = line.split(' ').collect();
        let ["said", id, what, rest @ ..] = words.as_slice() else { continue };
        let render = said.entry((*id).into()).or_default();
        match (*what, rest) {
            ("admitted", [key]) => render.key = (*key).into(),
            ("asked", []) => render.asked = true,
            ("decided", [yes]) => render.decided = Some(*yes == "true"),
            ("completed", []) => render.completed = true,
            // The last line may have been cut off.
            _ => {}
        }
    }
}

async fn check(folder: &Path, store: &Arc<dyn Store>, said: &HashMap<String, Said>) {
    let database = Connection::open(folder.join("store.sqlite")).unwrap();
    let word: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(word, "ok");
    assert!(!database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    for (id, said) in said {
        let render = store.render("acme", id).await.unwrap();
        if !said.key.is_empty() {
            let twin = store.admit(keyed("acme", &said.key, 1)).await.unwrap();
            assert!(matches!(twin, Admitted::Existing(twin) if twin.id == *id));
        }
        assert_eq!(render.status == Status::Waiting, {
            let question = render.question.as_ref();
            question.is_some_and(|question| question.decision.is_none())
        });
        assert!(render.question.is_some() || !said.asked);
        if let Some(yes) = said.decided {
            assert_eq!(render.question.unwrap().decision.unwrap().approved, yes);
        }
        assert!(render.status == Status::Completed || !said.completed);
        let (_, output) = match store.open_artifact("acme", id, ArtifactKind::Output).await {
            Ok(output) => output,
            Err(error) => {
                assert_eq!(error, Error::NotFound("artifact"));
                assert_ne!(render.status, Status::Completed);
                continue;
            }
        };
        assert_eq!(render.status, Status::Completed);
        let bytes = std::io::read_to_string(output).unwrap();
        assert_eq!(bytes, id.repeat(3000));
    }
    assert_eq!(std::fs::read_dir(folder.join("tmp/server")).unwrap().count(), 0);
    for _ in 0..96 {
        store.sweep().await.unwrap();
    }
    let rows = |table: &str| -> usize {
        database
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
            .unwrap()
            .try_into()
            .unwrap()
    };
    for shelf in ["artifacts", "plugins"] {
        assert_eq!(files(folder, shelf), rows(shelf), "{shelf}");
    }
}
