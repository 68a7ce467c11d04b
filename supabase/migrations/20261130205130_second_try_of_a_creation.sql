-- Why: a second try, where the first one's answer was lost, made a second store, copy, reward or gift.

set check_function_bodies = off;

DROP FUNCTION "public"."create_store"(text, text, text, text, text, text, text);

DROP FUNCTION "public"."duplicate_campaign"(uuid, text);

CREATE OR REPLACE FUNCTION public.create_store(p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text, p_review_host_confirmed text DEFAULT NULL::text, p_timezone text DEFAULT NULL::text, p_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.my_organization();
  v_url constant text := nullif(btrim(p_google_review_url), '');
  v_mode constant text := coalesce(p_review_mode, 'compliant');
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_id is not null then
    -- A second try waits here for the first, and corrects what it made.
    perform pg_advisory_xact_lock(hashtextextended('create store ' || v_org_id, 0));
    update public.stores s set name = p_name, slug = p_slug, address = p_address, google_review_url = v_url,
      review_mode = v_mode, review_host_confirmed = p_review_host_confirmed, timezone = coalesce(p_timezone, s.timezone)
    where s.org_id = v_org_id and s.id = p_id
    returning * into v_store;
  end if;
  if v_store.id is null then
    insert into public.stores (id, org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed, timezone)
    values (coalesce(p_id, gen_random_uuid()), v_org_id, p_name, p_slug, p_address, v_url, v_mode, p_review_host_confirmed,
      coalesce(p_timezone, private.timezone_of(v_org_id)))
    returning * into v_store;
  end if;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$function$;

CREATE OR REPLACE FUNCTION public.duplicate_campaign(p_id uuid, p_name text, p_copy_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('campaigns.write') intersect select private.my_org_ids('rewards.write'));
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_asked constant text := private.clean_line(p_name);
  v_name text := btrim(left(v_asked, 120));
  v_slug text;
begin
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if coalesce(v_name, '') = '' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  -- A second try waited for the first at the row above.
  select * into v_copy from public.campaigns c where c.id = p_copy_id and c.org_id = v_source.org_id;
  if found then
    return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
  end if;
  -- Two copies of one name made at once take turns here, so that each finds a name of its own.
  v_slug := private.free_campaign_slug(private.campaign_slug_of(v_asked), null);
  if exists (
    select 1 from public.campaigns c where c.org_id = v_source.org_id and lower(btrim(c.name)) = lower(v_name)
  ) then
    v_name := private.numbered_name(v_asked,
      private.free_number('campaign name', v_asked, 1, null, v_source.org_id));
  end if;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (id, org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (coalesce(p_copy_id, gen_random_uuid()), v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  perform private.copy_prizes(v_source.org_id, p_id, v_copy.id, null);
  perform private.copy_checks(v_source.org_id, p_id, v_copy.id);
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$function$;

COMMENT ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text, uuid) IS 'Adds a store to the signed-in member''s organisation; without a time zone in that of its first store. p_id may be chosen by the caller: a second call with it, where the first one''s answer was lost, gives that store the second one''s values. Errors: TV050 the organisation could not be looked up; TV023 member of none; 42501 without the permission stores.write; 23505 the organisation has a store with that slug; TV003 the plan has one store; 23514 or 23502 something is not well formed; TV170 the reviews link leads to no known platform and its host (the detail) is not the one confirmed.';

COMMENT ON FUNCTION "public"."duplicate_campaign"(uuid, text, uuid) IS 'Copies a campaign with its wheel, its rewards (with the stock that is left) and its checks. The name gets a number where it is taken, the slug is its own: inactive, without history, without dates that are over. p_copy_id may be chosen by the caller: a second call with it answers the copy that the first one made. Answers id and name. Errors: 42501 when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';

REVOKE ALL ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."create_store"(text, text, text, text, text, text, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."duplicate_campaign"(uuid, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."duplicate_campaign"(uuid, text, uuid) TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."campaigns" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."campaigns" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."points_rewards" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."points_rewards" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."rewards" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."rewards" TO "authenticated";
