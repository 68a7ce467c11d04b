-- Why: Google may be asked what a public page shows. What was answered is not stored, only when it may be asked again.

set check_function_bodies = off;

CREATE TABLE "private"."rating_source" ("is_only" boolean NOT NULL DEFAULT true, "failures" integer NOT NULL DEFAULT 0, "resumes_at" timestamp with time zone, CONSTRAINT "rating_source_failures_check" CHECK ((failures >= 0)), CONSTRAINT "rating_source_is_only_check" CHECK (is_only), CONSTRAINT "rating_source_pkey" PRIMARY KEY (is_only));

ALTER TABLE "private"."rating_source" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION public.public_rating_question(p_user_id uuid, p_session_id uuid, p_aal text, p_store_id uuid, OUT outcome text, OUT place_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store public.stores;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select s.* into v_store from public.stores s
  join public.organization_members m on m.org_id = s.org_id and m.user_id = p_user_id
  join public.role_permissions r on r.role = m.role and r.permission = 'activity.read'
  where s.id = p_store_id;
  if not found then
    outcome := 'forbidden';
  elsif not private.is_readable(v_store.org_id) then
    outcome := 'closed';
  elsif v_store.google_place_id is null then
    outcome := 'no_place';
  elsif exists (
    select 1 from public.public_ratings r
    where r.org_id = v_store.org_id and r.store_id = p_store_id and r.day = private.now_in(v_store.timezone)::date
  ) then
    outcome := 'typed';
  elsif exists (select 1 from private.rating_source s where s.resumes_at > now()) then
    outcome := 'paused';
  -- Each question may cost the operator money.
  elsif private.count_attempt(
    array['public rating store ' || p_store_id, 'public rating organization ' || v_store.org_id], '{6,60}', interval '1 day'
  ) is not null then
    outcome := 'too_many';
  else
    outcome := 'ask';
    place_id := v_store.google_place_id;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.rate_rating_source(p_failed boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not p_failed then
    update private.rating_source s set failures = 0, resumes_at = null where s.failures > 0;
    return;
  end if;
  insert into private.rating_source as s (failures, resumes_at) values (1, now() + interval '1 minute')
  on conflict (is_only) do update
    set failures = least(s.failures + 1, 12),
      resumes_at = now() + least(interval '1 minute' * power(2, s.failures), interval '6 hours');
end;
$function$;

COMMENT ON COLUMN "private"."rating_source"."failures" IS 'Failures since it answered last, 12 at most.';

COMMENT ON COLUMN "private"."rating_source"."is_only" IS 'True: there is one row at most.';

COMMENT ON COLUMN "private"."rating_source"."resumes_at" IS 'It is left alone until then; null where it answers.';

COMMENT ON FUNCTION "public"."public_rating_question"(uuid, uuid, text, uuid) IS 'Whether Google may be asked now for a store''s public page, for a user whose token names a session and an assurance level, and by which identifier. Outcomes: ask, or why not: session_ended, second_factor_required, forbidden (without the permission activity.read there), closed (the plan ended 30 days ago), no_place, typed (today''s figures were typed in), paused (it failed just now), too_many (6 a store and 60 an organisation in a day).';

COMMENT ON FUNCTION "public"."rate_rating_source"(boolean) IS 'Writes down that Google answered, or did not: then it is left alone for a minute, twice as long each time, 6 hours at most.';

COMMENT ON TABLE "private"."rating_source" IS 'One row: how the official interface of public ratings has answered.';

REVOKE ALL ON FUNCTION "public"."public_rating_question"(uuid, uuid, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."public_rating_question"(uuid, uuid, text, uuid) TO "service_role";

REVOKE ALL ON FUNCTION "public"."rate_rating_source"(boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."rate_rating_source"(boolean) TO "service_role";
