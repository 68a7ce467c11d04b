-- Why: descriptions of the catalog begin with the noun that they describe.

set check_function_bodies = off;

COMMENT ON COLUMN "private"."account_events"."event" IS 'Kind of event: recovery_codes_created, recovery_code_used, recovery_code_refused, session_ended, passkey_added or passkey_removed.';

COMMENT ON COLUMN "private"."api_keys"."created_by" IS 'Member who made it; null once that account is gone. The key stays the organisation''s.';

COMMENT ON COLUMN "private"."api_keys"."name" IS 'Name that the merchant gives it, 1 to 80 characters.';

COMMENT ON COLUMN "private"."check_groups"."closed_by" IS 'Member who dealt with it, by their name at the time.';

COMMENT ON COLUMN "private"."check_groups"."group_key" IS 'Common trait of the group: keyed hash of the device or, for an hour, of the network; domain; day at the store. Never shown but for a domain or a day.';

COMMENT ON COLUMN "private"."check_settings"."presence" IS 'Proof that a customer is in the store: a code that is another one every 30 seconds on the till''s screen, the word of the day, or the last digits of a receipt; null where nothing is asked.';

COMMENT ON COLUMN "private"."device_customers"."customer_id" IS 'Player on this device.';

COMMENT ON COLUMN "private"."invitations"."accepted_by" IS 'User who accepted it.';

COMMENT ON COLUMN "private"."invitations"."invited_by" IS 'Member who invited, or sent it again last.';

COMMENT ON COLUMN "private"."network_turns"."customer_id" IS 'Player.';

COMMENT ON COLUMN "private"."operator_events"."action" IS 'Action as subject.verb: account.erased, organization.suspended …';

COMMENT ON COLUMN "private"."outbox"."data" IS 'Values that the text mentions (url, code, name …); emptied once sent. Of a message that was given up they stay for the operator to send it again: 7 days where it lasts (private.is_lasting), and otherwise until it expires.';

COMMENT ON COLUMN "private"."push_devices"."label" IS 'Label that its owner knows it by, such as « Chrome, Android ».';

COMMENT ON COLUMN "private"."rate_limits"."key" IS 'Counted thing: action, kind and keyed hash.';

COMMENT ON COLUMN "private"."spin_origins"."customer_id" IS 'Player.';

COMMENT ON COLUMN "public"."answer_templates"."name" IS 'Name that it is chosen by, up to 60 characters.';

COMMENT ON COLUMN "public"."audit_events"."action" IS 'Action as subject.verb: store.archived, member.removed …';

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'Facts that the sentence about it mentions: the name of a store or a colleague, the fields changed. No customer''s data.';

COMMENT ON COLUMN "public"."audit_events"."user_id" IS 'Person who acted; null when the platform did. Not a reference: whoever leaves keeps what they did.';

COMMENT ON COLUMN "public"."campaign_rules"."content" IS 'Content of the rules (private.rules_content); the shape is rulesContent of _shared/domain.';

COMMENT ON COLUMN "public"."campaigns"."archived_at" IS 'When it was archived; null while in use. An archived campaign is never active.';

COMMENT ON COLUMN "public"."customers"."consent_by" IS 'Origin of the consent: the customer by ticking the box, or the team in their name; null without consent.';

COMMENT ON COLUMN "public"."customers"."note" IS 'Note of the team for itself, up to 4000 characters, and more where several customers became one; never public.';

COMMENT ON COLUMN "public"."notification_preferences"."unsubscribe_token" IS 'Token of mails until November 2026, in the place of that secret; null for members since.';

COMMENT ON COLUMN "public"."points_ledger"."remaining" IS 'Rest of earned points, never below zero; null for every other entry.';

COMMENT ON COLUMN "public"."points_rewards"."cost" IS 'Cost in points, from 1.';

COMMENT ON COLUMN "public"."points_spends"."points" IS 'Cost at the time, in points.';

COMMENT ON COLUMN "public"."points_spends"."request_id" IS 'Identifier of the phone''s request: one spend a request.';

COMMENT ON COLUMN "public"."points_spends"."used_request_id" IS 'Identifier of the till''s request: repeated after a lost answer, it gets that answer. Null when it did not say.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."customer_id" IS 'Author of the review; null once the customer is erased.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."handling" IS 'State in the inbox: open (to be dealt with), answered or closed; null while nobody has decided: then it is to be dealt with when it has 3 stars or fewer.';

COMMENT ON COLUMN "public"."redemption_events"."request_id" IS 'Identifier of the till''s request: repeated after a lost answer, it gets that answer. Null when it did not say.';

COMMENT ON COLUMN "public"."review_actions"."assignee_name" IS 'Assignee by their name at the time; null for nobody.';

COMMENT ON COLUMN "public"."review_actions"."user_id" IS 'Member who acted. Not a reference: whoever leaves keeps what they did.';

COMMENT ON COLUMN "public"."rewards"."value" IS 'Cost for the merchant, in euros, two decimals at most; null when not entered.';

COMMENT ON COLUMN "public"."role_permissions"."permission" IS 'Permission as subject.verb: campaigns.write, codes.redeem …';

COMMENT ON COLUMN "public"."roles"."description" IS 'Purpose in the organisation''s words; up to 200 characters.';

COMMENT ON COLUMN "public"."roles"."name" IS 'Name that its organisation gives it, 1 to 40 characters; null of those given.';

COMMENT ON COLUMN "public"."spins"."customer_id" IS 'Player; null once the customer is erased.';

COMMENT ON COLUMN "public"."stores"."average_basket" IS 'Average amount that a customer spends on a visit, in euros, two decimals at most, as the merchant estimates it; null when not entered.';

COMMENT ON COLUMN "public"."subscriptions"."due_cents" IS 'Sum of the bills that are not paid, tax included, in cents; null when everything is paid, or the provider did not say.';

COMMENT ON FUNCTION "private"."audit_people"(uuid) IS 'People in the audit trail, with their last name.';

COMMENT ON FUNCTION "private"."campaign_cost"(uuid, uuid) IS 'Cost of a campaign''s used rewards, in euros, at the value that each has now, and how many uses have no value.';

COMMENT ON FUNCTION "private"."campaign_words"(uuid, uuid) IS 'Translations of a campaign''s texts, which customers read in their language: names of its rewards, archived as well, texts of its wheel, and its own name. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

COMMENT ON FUNCTION "private"."check_settings_of"(uuid, uuid) IS 'Checks of a campaign: its own settings, or the usual ones.';

COMMENT ON FUNCTION "private"."code_at"(uuid, uuid, text) IS 'State of an organisation''s code at one of its stores, whatever its case and spaces: available, used, expired, held, cancelled, other_store (never for a store that was archived), test, unknown (other merchants'' codes too).';

COMMENT ON FUNCTION "private"."code_prefix"(text) IS 'Beginning of redemptions.code_key for a search by the code alone; null when nothing is searched.';

COMMENT ON FUNCTION "private"."cost_now"(uuid, date, date) IS 'Cost of an organisation''s used rewards from one day up to another, which is left out. Each counts at its present value; uses of rewards without a value are counted apart.';

COMMENT ON FUNCTION "private"."describe_code"(text, text, public.redemptions) IS 'Description of a code for the till: the shape is codeLookup of _shared/domain.';

COMMENT ON FUNCTION "private"."describe_points_code"(text, public.points_spends, uuid) IS 'Description for the till of a code that points were spent for: the shape is codeLookup of _shared/domain.';

COMMENT ON FUNCTION "private"."folded_store_sums"(uuid, uuid, date, date) IS 'Folded figures of a store''s days from one up to another, which is left out: sum over the rows, one for each whole month and one for each day beside them. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."inspect_code"(uuid, text, uuid) IS 'State of a code for a user at the till of a store, whatever its case and spaces: available, used, expired, held, cancelled, other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs), too_many_attempts.';

COMMENT ON FUNCTION "private"."inspect_code_with_key"(private.api_keys, text, uuid) IS 'State of a code for a key of the API at the till of a store: the states of private.inspect_code.';

COMMENT ON FUNCTION "private"."lookup_points_code"(text, uuid) IS 'State of a code that points were spent for, before it is used (private.describe_points_code); null where there is none. For whoever was let to that till already.';

COMMENT ON FUNCTION "private"."mark_rules_of_reward"() IS 'Prizes, and the number of each, stand in the rules of every campaign that has the reward.';

COMMENT ON FUNCTION "private"."name_order"(text) IS 'Sort key of a name: its words without case and accents, up to 80 letters, so that an index can hold it.';

COMMENT ON FUNCTION "private"."next_steps"(uuid, boolean, boolean) IS 'Next steps for a merchant: bad reviews that nobody has seen, rewards that run out, groups of prizes to check (for whoever sees codes). Whether every active campaign is over. A campaign, running or about to, in which nothing can be won, and a store with one that has no public reviews page. Whose the reviews are where asked, and by which identifier codes are looked for.';

COMMENT ON FUNCTION "private"."pattern_hint"(text) IS 'Plain letters, in lower case, of texts whose words are like a pattern; the pattern itself where one tells the other.';

COMMENT ON FUNCTION "private"."period"(uuid, date, date) IS 'Answer of period_figures, without its check of permissions.';

COMMENT ON FUNCTION "private"."period_return"(uuid, date, date) IS 'Earnings and costs of an organisation''s days from one up to another, which is left out, in euros. Visits brought back (codes used), their worth at each store''s average basket, and visits of stores without one (unestimated). The share of them that the merchant counts (return_share, a hundredth). The used rewards at their present value, uses without a value (unpriced), the 5 stores to look at, and the plan.';

COMMENT ON FUNCTION "private"."points_wallet"(uuid, jsonb, text) IS 'Points that a phone can prove (private.proven_points), in its language: balance, the points that end first, the catalogue (nothing while the organisation is closed), and the last 10 codes; null without such a campaign. The shape is pointsWallet of _shared/domain.';

COMMENT ON FUNCTION "private"."presence_seal"(bytea, text, text) IS 'Signature that makes a pass of a device, until a second of Unix time, one of ours.';

COMMENT ON FUNCTION "private"."public_rating"(uuid, uuid, integer) IS 'Figures of a store''s public page on the first day that was typed in, and on the newest ones, oldest first. Each has the reviews that were collected here after the first day, up to that one. collected counts up to today; first is null where nothing was typed in.';

COMMENT ON FUNCTION "private"."queue_metrics"() IS 'Metrics for a monitoring system: messages queued and given up, age of the oldest that waits (seconds), failures in a row of each job.';

COMMENT ON FUNCTION "private"."recovery_code_hash"(uuid, text) IS 'Stored hash of a recovery code, whatever its case, spaces and hyphens.';

COMMENT ON FUNCTION "private"."review_customer"(uuid, uuid, uuid) IS 'Author of a review, with how to reach them and their last 5 other reviews; null once they are erased.';

COMMENT ON FUNCTION "private"."review_state"(public.pre_spin_reviews) IS 'State of a review: open (to be dealt with), answered, closed; null for one that asks for nothing. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."reward_dependencies"(uuid, uuid) IS 'Dependencies of a reward: whether it was ever won or given, and on how many segments of wheels it stands. Read from counters.';

COMMENT ON FUNCTION "private"."rules_content"(public.campaigns) IS 'Present content of a campaign''s rules: organiser, store, dates, interval between two spins. Of each prize its number (null: unlimited), value, validity and odds in percent. The odds of losing (null: nobody loses), and how presence is shown where it is asked for.';

COMMENT ON FUNCTION "public"."brand_settings"(uuid) IS 'Data of the screen « Votre marque »: the organisation''s name and address, that of its newest running campaign, its brand, and whether its plan shows it to customers. The shape is brandSettings of _shared/domain. Error 42501 without the permission organization.update there.';

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'Content of a campaign''s posters: address, names, and its wheel''s segments of a weight above zero, in order, with their prizes. The three best prizes (by what they cost, then by how rare they are), and what is translated (private.campaign_words). Whether the product''s name stays away (white_label), and the merchant''s brand. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was archived, and when its store is gone.';

COMMENT ON FUNCTION "public"."check_settings"(uuid) IS 'Checks of a campaign: the shape is checkSettings of _shared/domain. Null when there is no such campaign for the signed-in user, who needs the permission campaigns.read.';

COMMENT ON FUNCTION "public"."closed_campaign_page"(text) IS 'Public facts of a campaign that does not run, by present or former slug: whose it is, why nobody can play, and what is open instead. Null for a draft: a campaign that was never played and has no day to begin on. The shape is closedCampaign of _shared/domain; for a campaign that runs, ask campaign_page.';

COMMENT ON FUNCTION "public"."decide_check"(uuid, text, uuid[]) IS 'Decision on a group of prizes, or on some of its codes: hold, cancel (the group is dealt with), release (both taken back), clear (all is well: what was held is released, and the same is not marked again) or reopen. Answers how many codes changed, and how many could not (used meanwhile, no stock left). Repeated, it changes nothing. Winners are notified by mail ten minutes later. Errors: 42501 without the permissions rewards.write and codes.read there, 22023 another action.';

COMMENT ON FUNCTION "public"."deletion_summary"(uuid) IS 'Counts of what goes with an organisation, for the owner''s last question; and whether its payments stand in the way. The shape is deletionSummary of _shared/domain. Error 42501 to others.';

COMMENT ON FUNCTION "public"."find_anything"(text, integer) IS 'Things of the signed-in member''s organisation that a text means: campaigns, customers, codes, rewards and stores in use, as many of each as the limit says (1 to 10), each only with its permission (campaigns.read, customers.read, codes.read, rewards.read, stores.read); the shape is foundThings of _shared/domain. Without case and accents.';

COMMENT ON FUNCTION "public"."invitation_page"(text) IS 'Invitation as the page behind its link shows it: the shape is invitationPage of _shared/domain. The link came to the mailbox that it names.';

COMMENT ON FUNCTION "public"."lookup_code"(text, uuid) IS 'State of a code before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not redeem codes at that store, person or key; errors of my_user_id().';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'Workspace that every screen starts from: organisation, role, permissions, stores, plan and progress of the signed-in user. How many bad reviews they have to read, and how many groups of prizes to check. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

COMMENT ON FUNCTION "public"."points_choices"(uuid) IS 'Points that a customer can spend, and rewards for them, for the team; the shape is pointsChoices of _shared/domain. Error 42501 without the permissions customers.read and codes.redeem, and for no such customer.';

COMMENT ON FUNCTION "public"."points_wallet"(uuid, jsonb, text, text) IS 'Points that a phone can prove, and what they buy, named in its language (private.points_wallet). Outcomes: shown, campaign_not_found, too_many_attempts (retry_at).';

COMMENT ON FUNCTION "public"."presence_board"(uuid) IS 'Board of the till''s screen of a store: for each running campaign that asks for it the codes of the next five minutes, or the word of the day. How long they are good; the shape is presenceBoard of _shared/domain. Error 42501 to whoever may not redeem codes at that store; errors of my_user_id().';

COMMENT ON FUNCTION "public"."settings"(uuid) IS 'Settings of an organisation (specification, section 2.19), for a member who may read its stores and its activity: name, address and version; stores in use; plan (the provider''s customer only to those who manage billing), null without one; and the reader''s notices. The shape is settings of _shared/domain. Error 42501 otherwise.';

COMMENT ON TABLE "private"."check_settings" IS 'Checks of a campaign whose merchant has decided otherwise than usual.';

COMMENT ON TABLE "private"."ended_subscriptions" IS 'Billing of organisations that are gone, kept 10 years for the tax office (specification, section 9): the payment provider''s numbers, by which it finds its bills, and no name, address or person.';

COMMENT ON TABLE "private"."invitations" IS 'Invitations to a team. Read through public.team and public.invitation_page; gone 30 days after their time.';

COMMENT ON TABLE "private"."operator_events" IS 'Actions of the operator by a command, or of a program of theirs with the secret key at auth/v1/admin: one row each, kept without end, identifiers alone, no name and no address.';

COMMENT ON TABLE "private"."payment_sandbox" IS 'State of the payment sandbox of the local mode, in the provider''s place. Empty on a real service.';

COMMENT ON TABLE "private"."recent_figures" IS 'Events of rewards and customers since the figures were last folded: a row an event, or minus one. No foreign key: what is gone when it is folded is left out.';

COMMENT ON TABLE "public"."audit_events" IS 'Audit trail of an organisation: people and their actions. Only ever added to, through private.audit; kept 13 months, like all logs.';

COMMENT ON TABLE "public"."organization_members" IS 'Members of organisations; a user belongs to one at most (specification, section 3).';

COMMENT ON TABLE "public"."plan_limits" IS 'Limits of each plan (specification, section 9).';

COMMENT ON TABLE "public"."points_rewards" IS 'Rewards that an organisation gives for points: its catalogue, good at each of its stores.';

COMMENT ON TABLE "public"."redemption_events" IS 'Uses and returns of codes, with person and time: the trace that a dispute asks for.';

COMMENT ON TABLE "public"."review_actions" IS 'Actions of the team on a review: notes, answers, its states and its assignees. Read through review_detail.';

COMMENT ON TABLE "public"."rewards" IS 'Rewards that can be won in a campaign (specification, section 3).';
