//! What every backend must do.

mod assets;
mod listing;
mod questions;
mod renders;
mod sessions;
mod tokens;
mod upkeep;

use crate::world::World;

/// Runs every case on every backend, each in a world of its own.
macro_rules! contract {
    ($($module:ident: $($case:ident),+;)+) => {
        mod sqlite {
            $(mod $module {$(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    super::super::$module::$case(super::super::World::sqlite()).await;
                }
            )+})+
        }
    };
}

contract! {
    renders:
        a_new_render_is_what_was_asked_for, a_foreign_id_looks_like_an_unknown_one,
        twins_give_one_render, a_key_belongs_to_its_tenant_and_its_arguments,
        a_key_counts_for_half_an_hour, a_key_is_freed_by_cancelling_and_temporary_failures,
        keys_survive_a_restart, an_attempt_that_lost_its_render_changes_nothing,
        only_one_claims, the_end_is_the_end, a_refused_output_is_gone,
        an_output_and_its_end_are_one, cancelling_twice_is_fine, too_many_are_refused,
        unfinished_renders_are_found_after_a_restart;
    questions:
        a_question_waits_with_all_that_it_needs, the_first_decision_wins,
        of_many_at_once_one_decides, later_questions_have_to_be_named,
        nobody_decides_after_the_deadline, a_cancelled_question_has_no_answer,
        plugins_are_kept_while_a_question_needs_them, a_later_preview_replaces_the_earlier;
    listing: pages_are_stable, every_tenant_lists_its_own, a_forged_cursor_is_refused;
    assets:
        the_same_bytes_are_kept_once, other_bytes_than_promised_are_refused,
        an_asset_in_use_stays, an_open_file_outlives_its_asset, uploads_go_on;
    sessions:
        a_session_comes_back_whole, nobody_takes_over_a_session, the_log_is_bounded,
        numbers_rise, one_answer_takes_a_request, touching_counts_at_once;
    tokens: a_secret_opens_until_it_is_revoked, an_old_token_opens_nothing;
    upkeep:
        an_expired_render_is_remembered_for_a_day, a_running_render_stops_at_its_end,
        stray_files_go_and_named_ones_stay, the_next_moment_is_known,
        a_clock_that_jumps_back_breaks_nothing;
}
