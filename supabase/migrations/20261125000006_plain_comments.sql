-- Why: comments of the catalog say spin, notice and refuse, as the schema and its documents do.

set check_function_bodies = off;

COMMENT ON COLUMN "private"."outbox"."attempts" IS 'How often a worker took it; the number also proves that the message is still the worker''s.';

COMMENT ON COLUMN "private"."prize_mails"."spin_id" IS 'Spin that won.';

COMMENT ON COLUMN "private"."prize_reminders"."spin_id" IS 'Spin that won.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."shard" IS 'Which part of the day''s figures: 0 to 15 are counted into, 16 holds what fold_days has folded.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."spins" IS 'Spins.';

COMMENT ON COLUMN "public"."campaign_daily_stats"."wins" IS 'Spins that won.';

COMMENT ON COLUMN "public"."campaigns"."version" IS 'Rises with every change of the campaign or of its wheel: saving an older version is refused, and overwrites nothing.';

COMMENT ON COLUMN "public"."customers"."spin_count" IS 'Spins, counted by spin_wheel itself, which writes the row anyway.';

COMMENT ON COLUMN "public"."customers"."version" IS 'Rises with every change of what the form holds: saving an older version is refused, and overwrites nothing.';

COMMENT ON COLUMN "public"."notification_preferences"."low_ratings" IS 'Whether to be notified at once of a review of 3 stars or fewer, by the channels that are on.';

COMMENT ON COLUMN "public"."organizations"."version" IS 'Rises with every change of name or slug: saving an older version is refused, and overwrites nothing.';

COMMENT ON COLUMN "public"."points_ledger"."spin_id" IS 'Spin that won them; one entry a spin.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."handling_version" IS 'Rises with every answer and every change of what became of it: an action on an older one is refused, and changes nothing.';

COMMENT ON COLUMN "public"."redemptions"."spin_id" IS 'Spin that won it; one code a spin.';

COMMENT ON COLUMN "public"."reward_daily_stats"."wins" IS 'Spins that won it.';

COMMENT ON COLUMN "public"."reward_totals"."wins" IS 'Spins that won it.';

COMMENT ON COLUMN "public"."rewards"."version" IS 'Rises with every change that a merchant makes in the form: saving an older version is refused, and overwrites nothing.';

COMMENT ON COLUMN "public"."spins"."play_id" IS 'Key of a spin without a review, made by the page: one spin a key.';

COMMENT ON COLUMN "public"."spins"."review_id" IS 'Review that gave the spin: one spin a review.';

COMMENT ON COLUMN "public"."stores"."version" IS 'Rises with every change of a form: saving an older version is refused, and overwrites nothing.';

COMMENT ON FUNCTION "private"."accept_totp_step"(uuid, bigint) IS 'Takes a one-time password''s period as used and answers whether it may be used: it is newer than any used before. Of two at once, one is refused.';

COMMENT ON FUNCTION "private"."alert_low_rating"() IS 'Writes to those who asked for notice of a review of 3 stars or fewer, and who may read reviews: at most 30 alerts an hour for one organisation. Mails wait two minutes for the words (private.alert_words).';

COMMENT ON FUNCTION "private"."audit_notifications"() IS 'Records that a member changed their notices.';

COMMENT ON FUNCTION "private"."customer_wins"(uuid, uuid) IS 'Spins that a customer won: counted on demand, since a customer has few spins.';

COMMENT ON FUNCTION "private"."fold_days"(integer) IS 'Job: days that are over in their store''s time zone become one row each, and part of the sums of campaigns and of organisations'' days (decision 001).';

COMMENT ON FUNCTION "private"."fold_figures"(integer) IS 'Job: folds recent events into the figures of rewards and customers (decision 001).';

COMMENT ON FUNCTION "private"."lock_billing"(uuid) IS 'Lets those who read or change an organisation''s subscription at the payment provider take turns, until the transaction ends. Nothing else waits for it: the public pages go on.';

COMMENT ON FUNCTION "private"."notify_ending_trials"(integer) IS 'Job: sends one notice of each free trial that ends within three days.';

COMMENT ON FUNCTION "private"."notify_plan_event"(uuid, text, timestamp with time zone, timestamp with time zone) IS 'Writes to whoever may manage billing (owner and admins) that a plan ends, has ended or is not paid; the day is the one that the mail mentions. Answers false, and writes nothing, when that mail was sent before.';

COMMENT ON FUNCTION "private"."prize_of"(uuid, uuid, uuid) IS 'The code that a spin won, for whoever knows the spin''s nonce; null otherwise.';

COMMENT ON FUNCTION "private"."reconcile_subscriptions"(integer) IS 'Job: once a day every customer of the payment provider is read again, whether a message came or not.';

COMMENT ON FUNCTION "private"."remind_prizes"(integer) IS 'Job: reminds winners of a prize that waits three days before its last one, by day at the store: once, at the address of the spin or the customer, three a day to one address. Nothing for a code that is used, or won less than three days ago.';

COMMENT ON FUNCTION "private"."review_conflict"(public.pre_spin_reviews) IS 'Answer to an action on an older version: what became of the review meanwhile, and through whom.';

COMMENT ON FUNCTION "public"."create_recovery_codes"() IS 'Ten new recovery codes of the signed-in user, as XXXX-XXXX-XXXX-XXXX; those before are worth nothing any more. They are shown once. Error TV010 to whoever has no second factor; errors of my_user_id().';

COMMENT ON FUNCTION "public"."invite_member"(text, text, uuid) IS 'Invites an address into the signed-in user''s team, by mail, with a role, and a store for a role of the till. Nobody learns whether the address has an account. Errors: TV096 belongs to this team already, TV097 invited already, TV002 the plan''s users are used up (limit as detail), TV103 too many mails (seconds as detail), 23514 or 23502 no address, 42501 without the permission team.manage, an owner invited by another role, a role or store that is none.';

COMMENT ON FUNCTION "public"."is_slug_free"(text, text, uuid) IS 'Whether an organisation or a campaign (over the whole platform, former addresses included) or a store (within one''s organisation) may take a slug; the owner is the store or campaign that would take it, null for a new one. False when it is no slug, null for another kind. A hint before saving: the constraints decide.';

COMMENT ON FUNCTION "public"."mail_prize"(uuid, uuid, uuid, text, text) IS 'Sends a prize to its winner by e-mail, for whoever knows the nonce of its spin: to the address that was given for the spin or stands with the customer; p_email counts only where neither is known. Outcomes: sent (recipient, masked), repeated (within 10 minutes, or 3 times already: nothing is sent), email_needed, prize_not_found, code_used, code_expired, too_many_attempts (retry_at).';

COMMENT ON FUNCTION "public"."save_notifications"(uuid, boolean, boolean, boolean, text) IS 'Saves which notices the signed-in member wants: channels (e-mail, SMS), an alert for reviews of 3 stars or fewer, and a summary (none, daily, weekly). Errors: 42501 to members of another organisation, TV105 text messages without a proven number, 23514 another word for the summary, 23502 a null.';

COMMENT ON FUNCTION "public"."settings"(uuid) IS 'What the settings of an organisation show (specification, section 2.19), for a member who may read its stores and its activity: name, address and version; stores in use; plan (the provider''s customer only to those who manage billing), null without one; and the reader''s notices. The shape is settings of _shared/domain. Error 42501 otherwise.';

COMMENT ON TABLE "private"."folded_campaigns" IS 'Sum of a campaign''s folded days at a store. private.campaign_figures_now() adds what is not folded.';

COMMENT ON TABLE "private"."folded_days" IS 'Sum of a folded day over an organisation''s campaigns. private.day_figures_now() adds what is not folded.';

COMMENT ON TABLE "private"."plan_notices" IS 'Mails to owners and admins about their plan, one a step.';

COMMENT ON TABLE "public"."notification_preferences" IS 'Notices that a member wants, and their channels (specification, section 3).';

COMMENT ON TABLE "public"."usage_alerts" IS 'Notices of use to a merchant: the month''s spins reached 80% or 100% of the plan.';
