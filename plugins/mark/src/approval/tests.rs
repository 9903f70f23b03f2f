use super::*;
use stage_sdk::Blob;

fn text() -> Subject {
    Subject::Text("DRAFT".to_owned())
}

fn picture(bytes: usize) -> Subject {
    Subject::Picture(Blob::from(vec![0; bytes]))
}

fn answered(
    asked: &Subject,
    subject: Option<&Subject>,
    answer: Answer,
) -> Result<Resumed<WatermarkPlan>, Fault> {
    let Suspension { state, state_version, .. } =
        ask(asked, "bottom right", WatermarkPlan::default()).expect("asks");
    conclude(subject, &Resumption { answer, state, state_version })
}

#[test]
fn a_question_names_the_mark_and_its_place() {
    let question =
        |subject| ask(&subject, "bottom right", WatermarkPlan::default()).unwrap().question;
    assert_eq!(question(text()), "Approve the watermark \"DRAFT\", bottom right?");
    assert_eq!(question(picture(9)), "Approve the picture as the watermark, bottom right?");
}

#[test]
fn only_a_yes_about_the_same_mark_goes_on() {
    for subject in [text(), picture(9)] {
        let answered = |answer| answered(&subject, Some(&subject), answer);
        assert_eq!(answered(Answer::Yes), Ok(Resumed::Confirmed));
        assert_eq!(answered(Answer::No), Err(Fault::Declined));
        assert_eq!(answered(Answer::Expired), Err(Fault::Declined));
    }
    for other in [None, Some(text()), Some(picture(10))] {
        let answer = answered(&picture(9), other.as_ref(), Answer::Yes);
        assert!(matches!(answer, Err(Fault::Failed { .. })));
    }
}

#[test]
fn a_foreign_state_is_not_trusted() {
    for (state, state_version) in
        [(&b"{}"[..], 2), (b"{\"text\":\"OTHER\"}", 2), (b"{\"text\":\"DRAFT\"}", 1)]
    {
        let resumption = Resumption { answer: Answer::Yes, state: state.to_vec(), state_version };
        assert!(matches!(conclude(Some(&text()), &resumption), Err(Fault::Failed { .. })));
    }
}
