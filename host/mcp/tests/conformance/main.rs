//! The official conformance suite, against a server with the fixtures that it wants. Nothing of
//! this ships.
#![cfg(test)]

mod fixtures;
mod install;
mod media;
mod prompts;
mod resources;
mod tools;

use std::{collections::BTreeMap, path::Path, process::Stdio};

use serde_json::Value;
use tokio::{net::TcpListener, process::Command};

/// How many checks the suite makes for 2025-11-25, those that are run but not scored included. A
/// suite that skips some exits with 0 all the same.
const CHECKS: usize = 83;
const SCENARIOS: usize = 33;

#[tokio::test]
async fn revision_2025_11_25() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    let suite = match install::suite(&folder).await {
        Ok(suite) => suite,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://127.0.0.1:{}/mcp", listener.local_addr().unwrap().port());
    let serving = tokio::spawn(fixtures::serve(listener));

    let results = folder.join("results-2025-11-25");
    let _ = std::fs::remove_dir_all(&results);
    let output = Command::new(&suite.node)
        .arg(&suite.program)
        .args(["server", "--url", &url, "--requirements", "2025-11-25", "-o"])
        .arg(&results)
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    serving.abort();
    let said = String::from_utf8_lossy(&output.stdout);

    let (mut counts, mut failures, mut scenarios) = (BTreeMap::new(), Vec::new(), 0);
    for scenario in std::fs::read_dir(&results).unwrap_or_else(|_| panic!("no results:\n{said}")) {
        let text = std::fs::read(scenario.unwrap().path().join("checks.json")).unwrap();
        let checks: Vec<Value> = serde_json::from_slice(&text).unwrap();
        scenarios += 1;
        for check in checks {
            let status = check["status"].as_str().unwrap().to_owned();
            if !["SUCCESS", "INFO"].contains(&status.as_str()) {
                failures.push(check);
            }
            *counts.entry(status).or_insert(0) += 1;
        }
    }
    println!("{scenarios} scenarios, {counts:?}");
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(output.status.success(), "{said}");
    assert_eq!((scenarios, counts.get("SUCCESS")), (SCENARIOS, Some(&CHECKS)), "{said}");
}

/// For running the suite, or any client, by hand:
/// `cargo test -p mcp --test conformance -- --ignored --nocapture`.
#[tokio::test]
#[ignore = "serves until it is stopped"]
async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}/mcp", listener.local_addr().unwrap());
    fixtures::serve(listener).await;
}
