use super::*;

#[test]
fn every_code_has_a_page_that_explains_it_and_says_what_to_do() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("# {code}\n")), "{code}: the page starts with the code");
        assert!(page.contains("## What to do"), "{code}: the page says what to do");
    }
}

#[test]
fn a_code_reads_back_from_its_name() {
    for code in Code::ALL {
        assert_eq!(code.name().parse(), Ok(*code));
        assert_eq!(serde_json::to_value(code).unwrap(), serde_json::json!(code.name()));
    }
    assert!("no_such_code".parse::<Code>().is_err());
}

#[test]
fn next_steps_are_one_sentence() {
    for code in Code::ALL {
        let step = code.next_step();
        assert!(step.ends_with('.') && step.matches(". ").count() == 0, "{code}: {step}");
    }
}
