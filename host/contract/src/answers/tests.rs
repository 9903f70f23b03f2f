use super::*;
use crate::catalogue::Code;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::schema;

fn film() -> Film {
    Film {
        output_format: "mp4".into(),
        duration_seconds: 92.4,
        width: 1920,
        height: 1080,
        watermark_applied: true,
        warnings: vec![Warning { code: "scaled_up".into(), message: "It was small.".into() }],
    }
}

fn notice() -> Notice {
    Notice {
        code: Code::CapabilityNotNegotiated,
        message: "It will ask.".into(),
        repair: approval("r", "q"),
    }
}

fn status(state: State) -> Status {
    Status {
        render_id: "r".into(),
        state,
        message: "Encoding.".into(),
        progress: Some(1.7),
        has_preview: true,
        pending: None,
        film: None,
        error: None,
        notices: vec![notice()],
        expires_at: "2026-07-12T17:02:00Z".into(),
    }
}

#[test]
fn answers_of_the_render_tool_fit_its_output_schema() {
    let goes_on = [State::Queued, State::Rendering, State::AwaitingWatermarkApproval];
    for state in goes_on {
        for notices in [vec![], vec![notice()]] {
            let answer = dispatched("r", state, &notices);
            assert!(schema::RENDER_OUTPUT.accepts(&answer), "{answer}");
        }
    }
    let answer = completed("r", &film());
    assert!(schema::RENDER_OUTPUT.accepts(&answer), "{answer}");
    let plain = completed("r", &Film { warnings: vec![], ..film() });
    assert!(plain.get("warnings").is_none() && schema::RENDER_OUTPUT.accepts(&plain), "{plain}");
}

#[test]
fn every_state_fits_the_status_schema() {
    let asks = Pending {
        question_id: "q1".into(),
        question: "Is it right?".into(),
        deadline: "2026-07-12T17:02:00Z".into(),
    };
    let error = Envelope::new(Failure::new(Code::WatermarkRejected, "No.")).to_json("1", "f");
    for answer in [
        status(State::Queued),
        status(State::Rendering),
        Status { pending: Some(asks), ..status(State::AwaitingWatermarkApproval) },
        Status { film: Some(film()), ..status(State::Completed) },
        Status { error: Some(error), ..status(State::Failed) },
        status(State::Cancelled),
    ] {
        let json = answer.to_json();
        assert!(schema::STATUS_OUTPUT.accepts(&json), "{json}");
        assert_eq!(json["terminal"], answer.state.is_terminal());
        assert_eq!(json.get("poll_after_ms").is_some(), !answer.state.is_terminal());
        assert_eq!(json["progress"], 1.0);
    }
}

#[test]
fn the_call_that_answers_a_question_can_be_made() {
    let call = approval("r", "q");
    let Some((tool, arguments)) = call.call else { panic!("it is a call") };
    assert_eq!(tool, tools::APPROVE);
    assert!(schema::APPROVE_INPUT.accepts(&arguments));
}
