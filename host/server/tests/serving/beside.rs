//! The command line beside a server that runs, and without one.

use serde_json::json;

use super::server::{Place, film, picture};

#[test]
fn assets_are_added_listed_shown_and_removed() {
    let place = Place::new();
    for running in [true, false] {
        let server = running.then(|| place.serve(&[]));
        film(place.dir.path());
        let asset = place.json(&["asset", "add", "film.mp4"]);
        assert_eq!(
            (&asset["name"], &asset["media"]["kind"]),
            (&json!("film.mp4"), &json!("video"))
        );
        let id = asset["asset_id"].as_str().unwrap();
        assert_eq!(place.json(&["asset", "list"]), json!({ "assets": [asset] }));
        assert_eq!(place.json(&["asset", "list", "--tenant", "other"]), json!({ "assets": [] }));
        if let Some(server) = server {
            // The server has it as well: what it says is about the render, not about the source.
            let arguments = json!({ "source_asset_id": id, "output_format": "avi" });
            let called = server.client.call_tool("video_render", &arguments);
            let error = &called["result"]["structuredContent"];
            assert_eq!(error["code"], "invalid_field", "{called}");
            assert_eq!(error["details"]["field"], "output_format", "{called}");
        }
        place.json(&["asset", "remove", id]);
        assert_eq!(place.json(&["asset", "list"]), json!({ "assets": [] }));
    }
    let ran = place.run(&["asset", "add", "film.mp4", "--data", "elsewhere", "--name", "My film"]);
    let id = String::from_utf8(ran.stdout).unwrap();
    let shown = place.json(&["asset", "show", id.trim(), "--data", "elsewhere"]);
    assert_eq!(shown["name"], "My film");
}

#[test]
fn what_cannot_be_an_asset_is_refused_in_a_sentence() {
    let place = Place::new();
    place.write("words.txt", "words");
    place.write("picture.png", picture(100, 0));
    place.write("file", "");
    for (args, code, word) in [
        (&["add", "words.txt"][..], 3, "The file is not a media file"),
        (&["add", "nowhere.mp4"], 3, "nowhere.mp4 cannot be read"),
        (&["add", "."], 3, "not a regular file"),
        (&["add", "picture.png", "--name", " "], 3, "name must not be empty"),
        (&["add", "picture.png", "--tenant", ""], 3, "tenant must not be empty"),
        (&["show", "as_nothing"], 3, "no asset as_nothing"),
        (&["remove", "as_nothing"], 3, "no asset as_nothing"),
        (&["list", "--data", "file"], 5, "cannot be used"),
        (&["list", "--config", "nowhere.toml"], 5, "nowhere.toml"),
    ] {
        let (found, stderr) = place.fails(&[&["asset"], args].concat());
        assert_eq!(found, code, "{args:?}: {stderr}");
        assert!(stderr.contains(word), "{args:?}: {stderr}");
    }
}

#[test]
fn an_asset_that_a_render_needs_stays() {
    let place = Place::new();
    film(place.dir.path());
    let asset = place.json(&["asset", "add", "film.mp4"]);
    let id = asset["asset_id"].as_str().unwrap();
    let server = place.serve(&[]);
    let watermark = json!({ "mode": "text", "text": "X" });
    let arguments = json!({ "source_asset_id": id, "watermark": watermark });
    let called = server.client.call_tool("video_render", &arguments);
    assert!(called["result"]["structuredContent"]["render_id"].is_string(), "{called}");
    let (code, stderr) = place.fails(&["asset", "remove", id]);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("used by a render"), "{stderr}");
}
