use super::*;
use render::request::Container;
use stage::model::Stage;

#[test]
fn the_reference_says_the_defaults() {
    assert_eq!(Config::parse(REFERENCE), Ok(Config::default()));
}

#[test]
fn the_reference_names_every_key() {
    let keys = |value: toml::Value| -> Vec<String> {
        value.as_table().into_iter().flat_map(|table| table.keys().cloned()).collect()
    };
    let mut named = keys(toml::Value::try_from(Limits::default()).unwrap());
    named.extend(keys(toml::Value::try_from(MediaConfig::default()).unwrap()));
    named.extend(keys(toml::Value::try_from(ServerConfig::default()).unwrap()));
    named.extend(keys(toml::Value::try_from(RendersConfig::default()).unwrap()));
    let optional = ["plugin_dir", "cache_dir", "ffmpeg", "ffprobe"];
    named.extend(optional.map(String::from));
    named.extend(["data_dir", "public_url", "concurrency"].map(String::from));
    for key in named {
        assert!(REFERENCE.contains(&format!("{key} = ")), "{key} is not in the reference");
    }
}

#[test]
fn a_commented_example_in_the_reference_is_valid() {
    let example: String = REFERENCE
        .lines()
        .skip_while(|line| !line.starts_with("# [plugins."))
        .take_while(|line| line.starts_with('#'))
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| line.starts_with('[') || line.contains(" = "))
        .map(|line| format!("{line}\n"))
        .collect();
    let config = Config::parse(&example).unwrap();
    let own = &config.plugins["encode-standard"];
    assert_eq!(own.parameters["quality"], 20);
    assert_eq!(own.grants.read_only.len(), 1);
    assert_eq!(config.terms("encode-standard").limits.plugin_time_ms, 3000);
    assert_eq!(config.terms("another").limits, Limits::default());
}

#[test]
fn a_plugin_keeps_the_common_limits_that_it_does_not_change() {
    let text = "[limits]\nhandles = 7\n[plugins.x.limits]\nplugin_time_ms = 5\n";
    let config = Config::parse(text).unwrap();
    config.check_ranges().unwrap();
    let limits = config.terms("x").limits;
    assert_eq!((limits.handles, limits.plugin_time_ms), (7, 5));
    assert_eq!(limits.memory_bytes, Limits::default().memory_bytes);
    for (own, word) in [("hands = 1", "hands"), ("handles = 0", "above 0"), ("handles = -1", "-1")]
    {
        let config = Config::parse(&format!("[plugins.x.limits]\n{own}\n")).unwrap();
        let error = config.check_ranges().unwrap_err();
        assert!(error.contains("`x`") && error.contains(word) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn an_error_names_its_place_in_one_line() {
    let cases = [
        ("[chain]\nencoder = \"x\"\n", "line 2, column 1", "encoder"),
        ("[limits]\nplugin_time_ms = \"long\"\n", "line 2, column 18", "string"),
        ("colour = 1\n", "line 1, column 1", "colour"),
        ("[media]\nlandlock = \"off\"\n", "line 2, column 12", "off"),
        ("[chain\n", "line 1", "unclosed"),
    ];
    for (text, place, word) in cases {
        let error = Config::parse(text).unwrap_err();
        assert!(error.contains(place) && error.contains(word) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn paths_are_relative_to_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("host.toml");
    let text = "plugin_dir = \"mine\"\n[chain]\nmux = \"my/mux.wasm\"\n\
                [chain.mov]\nmux = \"movs/mux.wasm\"\n";
    fs::write(&file, text).unwrap();
    let config = Config::load(Some(&file)).unwrap();
    assert_eq!(config.plugin_dir, Some(dir.path().join("mine")));
    let path = |file: &str| dir.path().join(file).to_string_lossy().into_owned();
    let plugin = |stage, container| config.chain.plugin(stage, container);
    assert_eq!(plugin(Stage::Mux, Container::Mp4), path("my/mux.wasm"));
    assert_eq!(plugin(Stage::Mux, Container::Mov), path("movs/mux.wasm"));
    assert_eq!(plugin(Stage::Mux, Container::Webm), "mux-webm");
    assert_eq!(plugin(Stage::Encode, Container::Mov), "encode-standard");
}

#[test]
fn a_missing_file_is_a_configuration_error() {
    let failure = Config::load(Some(Path::new("no/such/file.toml"))).unwrap_err();
    assert_eq!(failure.code, Code::ConfigInvalid);
}

#[test]
fn what_nothing_could_be_served_with_is_refused() {
    for (text, word) in [
        ("[server]\nuploads = 0\n", "uploads must be above 0"),
        ("[server]\nmax_asset_bytes = 0\n", "max_asset_bytes must be above 0"),
        ("[server]\npublic_url = \"render.example.com\"\n", "public_url"),
        ("[server]\npublic_url = \"ftp://render.example.com\"\n", "public_url"),
        ("[server]\npublic_url = \"https://me@render.example.com\"\n", "public_url"),
        ("[server]\npublic_url = \"https://render.example.com/?a=b\"\n", "public_url"),
        ("[renders]\nconcurrency = 0\n", "concurrency must be above 0"),
        ("[renders]\nttl_seconds = 60\n", "min_ttl_seconds must not be above"),
    ] {
        let error = Config::parse(text).unwrap().check_ranges().unwrap_err();
        assert!(error.contains(word) && !error.contains('\n'), "{text}: {error}");
    }
    for (text, word) in
        [("[server]\nlisten = \"here\"\n", "line 2"), ("[server]\nauth = \"all\"\n", "all")]
    {
        let error = Config::parse(text).unwrap_err();
        assert!(error.contains(word) && !error.contains('\n'), "{text}: {error}");
    }
    let text = "[server]\npublic_url = \"https://example.com/video\"\ndrain_seconds = 0\n";
    Config::parse(text).unwrap().check_ranges().unwrap();
}
