-- Integrations ask for messages and for withdrawn consents since a moment: all reviews or customers of an organisation were read for a few.

set check_function_bodies = off;

CREATE INDEX customers_withdrawn_idx ON public.customers USING btree (org_id, consent_withdrawn_at) WHERE (consent_withdrawn_at IS NOT NULL);

CREATE INDEX pre_spin_reviews_org_feedback_idx ON public.pre_spin_reviews USING btree (org_id, feedback_at) WHERE (feedback_at IS NOT NULL);
