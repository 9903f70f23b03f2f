use super::*;

const STATES: [State; 11] = [
    State::Admitted,
    State::Planning(Stage::Encode),
    State::Planning(Stage::Watermark),
    State::Planning(Stage::Mux),
    State::Waiting(Stage::Encode),
    State::Waiting(Stage::Watermark),
    State::Waiting(Stage::Mux),
    State::Running,
    State::Committing,
    State::Completed,
    State::Failed(Code::RenderFailed),
];

const EVENTS: [Event; 9] = [
    Event::Begin,
    Event::Decided,
    Event::Asked,
    Event::Answered(Answer::Yes),
    Event::Answered(Answer::No),
    Event::Answered(Answer::Expired),
    Event::Written,
    Event::Published,
    Event::Failed(Code::Cancelled),
];

/// One row a state, one column an event; `-` is refused. `cancelled` discards
/// in every state that has not ended.
const TABLE: &str = "
Admitted            | Planning(Encode) [Start(Encode)] | - | - | - | - | - | - | - | X
Planning(Encode)    | - | Planning(Watermark) [Start(Watermark)] | Waiting(Encode) [Park(Encode)] | - | - | - | - | - | X
Planning(Watermark) | - | Planning(Mux) [Start(Mux)] | Waiting(Watermark) [Park(Watermark)] | - | - | - | - | - | X
Planning(Mux)       | - | Running [Run] | Waiting(Mux) [Park(Mux)] | - | - | - | - | - | X
Waiting(Encode)     | - | - | - | Planning(Encode) [Resume(Encode, Yes)] | Planning(Encode) [Resume(Encode, No)] | Failed(ApprovalExpired) [Resume(Encode, Expired), Discard] | - | - | X
Waiting(Watermark)  | - | - | - | Planning(Watermark) [Resume(Watermark, Yes)] | Planning(Watermark) [Resume(Watermark, No)] | Failed(ApprovalExpired) [Resume(Watermark, Expired), Discard] | - | - | X
Waiting(Mux)        | - | - | - | Planning(Mux) [Resume(Mux, Yes)] | Planning(Mux) [Resume(Mux, No)] | Failed(ApprovalExpired) [Resume(Mux, Expired), Discard] | - | - | X
Running             | - | - | - | - | - | - | Committing [Commit] | - | X
Committing          | - | - | - | - | - | - | - | Completed [Discard] | X
Completed           | - | - | - | - | - | - | - | - | -
Failed(RenderFailed) | - | - | - | - | - | - | - | - | -
";

fn cell(state: State, event: Event) -> String {
    match next(state, event) {
        Ok((State::Failed(Code::Cancelled), effects)) if effects == [Effect::Discard] => {
            "X".to_owned()
        }
        Ok((state, effects)) => format!("{state:?} {effects:?}"),
        Err(refused) => {
            assert_eq!((refused.state, refused.event), (state, event));
            "-".to_owned()
        }
    }
}

#[test]
fn the_whole_table() {
    let rows: Vec<&str> = TABLE.trim().lines().collect();
    assert_eq!(rows.len(), STATES.len());
    for (row, state) in rows.iter().zip(STATES) {
        let mut cells = row.split(" | ").map(str::trim);
        assert_eq!(cells.next().unwrap(), format!("{state:?}"));
        for event in EVENTS {
            assert_eq!(cell(state, event), cells.next().unwrap(), "{state:?} on {event:?}");
        }
        assert_eq!(cells.next(), None);
    }
}

#[test]
fn a_terminal_state_never_changes() {
    for state in STATES.into_iter().filter(|state| state.is_terminal()) {
        for event in EVENTS {
            assert!(next(state, event).is_err(), "{state:?} on {event:?}");
        }
    }
}

#[test]
fn the_stages_decide_in_order() {
    let mut state = next(State::Admitted, Event::Begin).unwrap().0;
    for stage in Stage::ALL {
        assert_eq!(state, State::Planning(stage));
        state = next(state, Event::Decided).unwrap().0;
    }
    assert_eq!(state, State::Running);
}
