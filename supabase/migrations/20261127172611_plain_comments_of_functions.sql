-- Why: comments of functions that only those who wrote them could read say what the function does, returns and refuses.

set check_function_bodies = off;

COMMENT ON FUNCTION "private"."alert_words"() IS 'Adds the text that a customer has just written to the queued alert about their review, and sends the alert at once.';

COMMENT ON FUNCTION "private"."alias_of"(uuid) IS 'Alias of a review: always the same for it, and not reversible to its identifier. It begins with the same millisecond as the identifier, so that the index of identifiers finds the review by its alias.';

COMMENT ON FUNCTION "private"."api_key_refusal"(private.api_keys) IS 'Reason why a key is refused: api_key_refused (unknown, revoked, expired), api_not_in_plan; null when it is accepted.';

COMMENT ON FUNCTION "private"."closed_since"(public.subscriptions) IS 'Time at which a plan ended or was suspended, whether or not the jobs have run; null while it is in force, and where the time is unknown.';

COMMENT ON FUNCTION "private"."drop_idle_recovery_codes"(uuid) IS 'Deletes the recovery codes of a user who has no second factor any more.';

COMMENT ON FUNCTION "private"."drop_prize_reminder"() IS 'Deletes the queued reminder of a code that is used, held or cancelled.';

COMMENT ON FUNCTION "private"."drop_verdict_mail"(public.redemptions) IS 'Deletes the queued mail about a decision. False when the winner was already notified of this decision or of an earlier one.';

COMMENT ON FUNCTION "private"."enqueue_customer_mail"(uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Queues a mail to a customer, or to the team about one (is_for_the_team); erasing the customer deletes it. With the consent to marketing, the mail carries the link that withdraws it. Not so where the customer is known under another address. Returns the message''s identifier; null, and no mail, when the customer is erased. Without a customer (null) it is queued as any other. Lock the code and the customer before the review.';

COMMENT ON FUNCTION "private"."enqueue_mail"(text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Queues a mail: template, address, data of the text, until when it is worth sending (default: 6 hours), not before when (default: now). Call it in the transaction that causes the mail. Returns the message''s identifier.';

COMMENT ON FUNCTION "private"."erase_customer_data"(uuid, uuid) IS 'Erases a customer: their row, note, points and messages, with what was written to them or about their reviews. Their visits, spins and codes stay without name, contact and text, so that the figures do not change. False when the customer was erased already. Checks no permission: for erase_customer and the job.';

COMMENT ON FUNCTION "private"."expected_customers"(uuid, jsonb) IS 'Number of an organisation''s customers that the planner expects to pass the filters (private.matches_filters); counting them all would be too slow for a search field.';

COMMENT ON FUNCTION "private"."forget_messages"(uuid, uuid) IS 'Deletes the messages to and about a customer who is erased: queued ones are not sent, and no record remains of what was sent to which address.';

COMMENT ON FUNCTION "private"."forget_messages_to"(text[]) IS 'Deletes the messages to the addresses and numbers of a user whose account is erased: queued ones are not sent, and no record remains of what was sent to which address.';

COMMENT ON FUNCTION "private"."has_store_history"(uuid, uuid) IS 'Whether a store has a campaign, a figure, a used code, a member bound to it or an API key that is not revoked: then it is archived, never deleted.';

COMMENT ON FUNCTION "private"."includes_api"(uuid) IS 'Whether an organisation''s plan includes the API and is in force. Keys are refused while it is not, and accepted again with the next plan.';

COMMENT ON FUNCTION "private"."is_api_key_open"(private.api_keys) IS 'Whether a key is neither revoked nor expired, whatever the plan.';

COMMENT ON FUNCTION "private"."is_shared"(public.rewards) IS 'Whether a reward is on the wheel of another campaign than its own.';

COMMENT ON FUNCTION "private"."lock_reviewer"(uuid) IS 'Locks the customer of a review until the transaction ends. Call it before locking the review, in the order of the erasure of customers: another order would make deadlocks.';

COMMENT ON FUNCTION "private"."lock_team"(uuid) IS 'Locks an organisation''s team against other changes until the transaction ends. Returns the number of users that the plan allows; -1 is unlimited.';

COMMENT ON FUNCTION "private"."mailed_name"(public.redemptions, text) IS 'Name of a code''s prize in a language, for a mail to its winner. Null where the merchant gave it a name that looks like a web address: our mails do not carry such links.';

COMMENT ON FUNCTION "private"."mark_rules"() IS 'Notes that the rules of a campaign change with its dates, interval and store.';

COMMENT ON FUNCTION "private"."mark_rules_of_organization"() IS 'Notes that the rules of all campaigns change with the organiser''s name.';

COMMENT ON FUNCTION "private"."mark_rules_of_reward"() IS 'Notes that the rules of every campaign with a reward change with its prize and its number.';

COMMENT ON FUNCTION "private"."mark_rules_of_store"() IS 'Notes that the rules of a store''s campaigns change with its name, address and time zone.';

COMMENT ON FUNCTION "private"."may_name_customers"(uuid) IS 'Whether the signed-in member or API key may read who a customer is. Where false, functions that only need the right to figures leave out names, addresses and identifiers of customers, and do not search them.';

COMMENT ON FUNCTION "private"."my_reading_rights"(text[], text) IS 'Organisation of the signed-in user or API key, and which of some permissions they have there. The answers are those of my_org_ids, with the session read once. Only for permissions that end with .read, without billing.read. No row without the required permission. Errors TV010, TV011, TV120 as my_org_ids.';

COMMENT ON FUNCTION "private"."name_roles"() IS 'Adds the present names of an organisation''s own roles to an entry of the audit trail: a role may be renamed or deleted before it is read.';

COMMENT ON FUNCTION "private"."note_push"(uuid, boolean) IS 'Records that the push service accepted a message for a device, or deletes the device when the service no longer knows it.';

COMMENT ON FUNCTION "private"."open_api_keys_by"(uuid, uuid) IS 'Number of an organisation''s open API keys that a user made: they stay open when the user leaves.';

COMMENT ON FUNCTION "private"."push_low_stock"() IS 'Notifies devices when a stock of a running campaign has come down to five and when it is empty, once a day and prize each; not the devices of the member who changed it.';

COMMENT ON FUNCTION "private"."refuse_audit_change"() IS 'Refuses every change of the audit trail, to every role. Error TV095.';

COMMENT ON FUNCTION "private"."refuse_closed"(public.subscriptions) IS 'Raises the reason why nothing may be changed under a subscription that is not open. Errors: TV190 the operator suspended the organisation, TV085 its plan is over or the organisation waits to be erased.';

COMMENT ON FUNCTION "private"."release_account"(uuid, boolean) IS 'Removes an account that is to be deleted from its team, and records that in the audit trail. When the user asked for it, the record has no name. Deletes messages to it, the invitation that it accepted and its name beside reviews, and withdraws the invitations that it made. Error TV104 for the last owner of an organisation that stays or is still charged. Call it before locking the account: joining a team locks the team first, too.';

COMMENT ON FUNCTION "private"."release_deleted_account"() IS 'Runs release_account before any deletion of an account, by whatever way: error TV104 while an organisation needs it.';

COMMENT ON FUNCTION "private"."require_power_over"(uuid, text[]) IS 'Raises 42501 unless the signed-in member has all permissions of a role (private.has_power_over), and for a role that the organisation does not have: only then may they give or change it.';

COMMENT ON FUNCTION "private"."reset_auth_attempts"(text[]) IS 'Deletes the attempts counted under these keys, once their user has proved who they are.';

COMMENT ON FUNCTION "private"."team_members"(uuid) IS 'Members of an organisation, owners first, then by how long they belong to it. With the permission team.manage, also how many open API keys each of them made.';

COMMENT ON FUNCTION "public"."account_deletion_summary"() IS 'Summary of what is deleted with the signed-in user''s account, and what stays of it in their organisation. It also says whether they are its last owner, which prevents the deletion. The shape is accountDeletion of _shared/domain. Errors of my_user_id(); 42501 for an API key.';

COMMENT ON FUNCTION "public"."deletion_summary"(uuid) IS 'Counts of what is deleted with an organisation, and whether running payments prevent that. The shape is deletionSummary of _shared/domain. Error 42501 to all but the owner.';

COMMENT ON FUNCTION "public"."erase_customer"(uuid) IS 'Erases a customer (right to erasure): their row, note and points are deleted. Their visits, spins and codes stay without name, contact and text, so that figures do not change and their codes stay valid. Error 42501 without the permission customers.delete there.';

COMMENT ON FUNCTION "public"."remove_reward"(uuid, boolean) IS 'Archives a reward, or deletes it when it was never won and is on no wheel. Error TV040 when that has changed meanwhile: then nothing is changed. Error 42501 without the permission rewards.delete there.';

COMMENT ON FUNCTION "public"."remove_store"(uuid, boolean) IS 'Archives a store, whose campaigns then stop, or deletes it when it has no history (has_store_history). Error TV140 when it has one: then nothing is changed. Error 42501 without the permission stores.delete there.';

COMMENT ON FUNCTION "public"."revoke_api_key"(uuid) IS 'Revokes a key for good; the next request with it is refused. No effect on one that is revoked already. Error 42501 without the permission api.manage there, and for an unknown key.';
