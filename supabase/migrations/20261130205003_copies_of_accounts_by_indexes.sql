-- Why: the copy of an account read the trail and the invitations of all organisations.

set check_function_bodies = off;

CREATE INDEX audit_events_own_idx ON public.audit_events USING btree (user_id, id) WHERE (user_id IS NOT NULL);

CREATE INDEX invitations_mailbox_idx ON private.invitations USING btree (private.normalize_email(email));
