use super::*;

fn config(listen: &str) -> ServerConfig {
    ServerConfig { listen: listen.parse().unwrap(), ..ServerConfig::default() }
}

#[test]
fn without_authentication_only_this_machine_is_served() {
    for own in ["127.0.0.1:80", "127.3.2.1:80", "[::1]:80"] {
        check(&config(own)).unwrap();
    }
    for others in ["192.168.1.5:80", "10.0.0.1:80", "[2001:db8::1]:80", "[fe80::1]:80"] {
        let failure = check(&config(others)).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        assert!(failure.message.contains("--i-know-that-anyone-can-render"), "{failure}");
        check(&ServerConfig { auth: Auth::Tokens, ..config(others) }).unwrap();
        let told = ServerConfig { i_know_that_anyone_can_render: true, ..config(others) };
        check(&told).unwrap();
    }
}

#[test]
fn on_all_addresses_links_need_to_be_told_where_they_lead() {
    for all in ["0.0.0.0:80", "[::]:80"] {
        let config = ServerConfig { auth: Auth::Tokens, ..config(all) };
        let failure = check(&config).unwrap_err();
        assert!(failure.message.contains("public_url"), "{failure}");
        let public_url = Some("https://render.example.com".to_owned());
        check(&ServerConfig { public_url, ..config }).unwrap();
    }
}

#[test]
fn hosts_follow_from_where_it_listens_and_what_it_is_called() {
    let at = |config: &ServerConfig| hosts(config, config.listen);
    assert_eq!(at(&config("127.0.0.1:80")), Allowed::Loopback);
    let open = ServerConfig { i_know_that_anyone_can_render: true, ..config("192.168.1.5:80") };
    let Allowed::These(names) = at(&open) else { panic!("not named") };
    assert!(names.contains(&"192.168.1.5".to_owned()) && names.contains(&"localhost".to_owned()));
    let guarded = ServerConfig { auth: Auth::Tokens, ..config("192.168.1.5:80") };
    assert_eq!(at(&guarded), Allowed::Any);
    let public_url = Some("https://render.example.com:444/video".to_owned());
    let behind = ServerConfig { public_url, ..config("127.0.0.1:80") };
    let Allowed::These(names) = at(&behind) else { panic!("not named") };
    assert!(names.contains(&"render.example.com".to_owned()), "{names:?}");
    assert_eq!(origins(&behind), Allowed::These(vec!["https://render.example.com:444".to_owned()]));
    assert_eq!(origins(&config("127.0.0.1:80")), Allowed::Loopback);
}
