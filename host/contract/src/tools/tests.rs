use super::*;

#[test]
fn names_are_what_every_client_takes() {
    for tool in all() {
        assert!(tool.name.len() <= 64 && !tool.name.contains('/'), "{}", tool.name);
        assert!(tool.description.len() < 2000, "{}", tool.name);
    }
}

#[test]
fn every_code_that_an_agent_can_get_is_listed_somewhere() {
    let listed: Vec<String> = all()
        .iter()
        .flat_map(|tool| tool.meta[ERRORS_META].as_array().cloned().unwrap())
        .map(|entry| entry["code"].as_str().unwrap().to_owned())
        .collect();
    for code in Code::ALL {
        let is_for_agents = !matches!(code.blame(), crate::catalogue::Blame::Operator)
            && !matches!(
                code,
                Code::OutputExists
                    | Code::OutputUnwritable
                    | Code::ResumeRefused
                    | Code::TooLargeToInline
                    // HTTP answers with it before any tool is called.
                    | Code::Unauthenticated
            );
        assert!(!is_for_agents || listed.contains(&code.to_string()), "{code}");
    }
}

#[test]
fn the_example_in_the_description_is_a_valid_call() {
    let description = render().description;
    let example = description.rsplit("Example: ").next().unwrap();
    let example: Value = serde_json::from_str(example).unwrap();
    assert!(crate::schema::RENDER_INPUT.accepts(&example));
}
