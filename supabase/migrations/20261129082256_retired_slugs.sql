-- Why: a slug of an erased organisation or a deleted campaign was free again, and printed codes led its customers to a stranger.

set check_function_bodies = off;

CREATE TABLE "private"."retired_slugs" ("kind" text NOT NULL, "digest" bytea NOT NULL, "holder_id" uuid, CONSTRAINT "retired_slugs_digest_check" CHECK ((length(digest) = 32)), CONSTRAINT "retired_slugs_kind_check" CHECK ((kind = ANY (ARRAY['organization'::text, 'campaign'::text]))), CONSTRAINT "retired_slugs_pkey" PRIMARY KEY (kind, digest));

ALTER TABLE "private"."retired_slugs" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.erase_organizations(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
  v_count integer;
begin
  select * into v_org from public.organizations o
  where o.erase_at <= now() and not private.has_running_payments(o.id)
  order by o.erase_at limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  -- Before its row goes; a portion later it is written already.
  with gone as (
    insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
    select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
    from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
    on conflict do nothing
    returning stripe_customer_id
  )
  -- A subscription resumed at the provider, of which we do not know yet, is ended again.
  select count(private.enqueue_payment_task('reconcile', g.stripe_customer_id)) into v_count from gone g;
  -- Former addresses are among the first rows to go; the others are retired before their own row does.
  perform private.retire_slug('organization', v_org.slug, v_org.id);
  perform private.retire_slug('organization', r.slug, v_org.id) from public.organization_slug_redirects r
  where r.org_id = v_org.id;
  perform private.retire_slug('campaign', r.slug, v_org.id) from public.campaign_slug_redirects r where r.org_id = v_org.id;
  -- The table of messages knows no organisation; what its customers were written bears their names and codes.
  delete from private.outbox o where o.customer like v_org.id || ' %';
  v_count := private.erase_rows(v_org.id, p_limit);
  if v_count < p_limit then
    delete from public.organizations o where o.id = v_org.id;
    -- As if the portion were full: the next organisation is looked at a second later.
    return p_limit;
  end if;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_campaign_slug_free(p_slug text, p_campaign_id uuid, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return not exists (
    select 1 from public.campaigns c
    where c.slug = p_slug and c.id is distinct from p_campaign_id and c.org_id is distinct from p_org_id
  ) and not exists (
    select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_campaign_id
  ) and not private.is_slug_retired('campaign', p_slug, p_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_slug_retired(p_kind text, p_slug text, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from private.retired_slugs r
    where r.kind = p_kind and r.digest = sha256(convert_to(p_slug, 'UTF8'))
      and (r.holder_id is null
        or r.holder_id is distinct from p_org_id and r.holder_id <> all (array(select private.my_org_ids()))));
$function$;

CREATE OR REPLACE FUNCTION private.refuse_former_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_slug text;
begin
  -- Two who take and give up one slug at the same instant take turns, always in the same order.
  for v_slug in
    select distinct s from unnest(array[new.slug, case when tg_op = 'UPDATE' then old.slug end]) s where s is not null order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('organization slug ' || v_slug, 0));
  end loop;
  -- One statement: an organisation that is erased meanwhile is seen with its slug, or gone and the slug retired.
  if exists (
    select 1 from public.organizations o where o.slug = new.slug and o.id <> new.id
    union all
    select 1 from public.organization_slug_redirects r where r.slug = new.slug and r.org_id <> new.id
  ) or private.is_slug_retired('organization', new.slug, new.id) then
    raise exception 'slug_taken' using errcode = '23505', constraint = 'organizations_slug_key',
      detail = 'Another organisation has this address, or had it: printed codes lead there.', hint = 'Choose another slug.';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.retire_campaign_slugs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.retire_slug('campaign', old.slug, old.org_id);
  perform private.retire_slug('campaign', r.slug, r.org_id) from public.campaign_slug_redirects r
  where r.org_id = old.org_id and r.campaign_id = old.id;
  return old;
end;
$function$;

CREATE OR REPLACE FUNCTION private.retire_slug(p_kind text, p_slug text, p_org_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.retired_slugs (kind, digest, holder_id)
  values (p_kind, sha256(convert_to(p_slug, 'UTF8')), (select o.id from public.organizations o where o.id = p_org_id))
  on conflict (kind, digest) do nothing;
$function$;

CREATE OR REPLACE FUNCTION public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      ) and not exists (
        select 1 from public.organization_slug_redirects r
        where r.slug = p_slug and r.org_id <> all (array(select private.my_org_ids()))
      ) and not private.is_slug_retired('organization', p_slug)
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and private.is_campaign_slug_free(p_slug, p_owner_id)
  end;
end;
$function$;

ALTER TABLE "private"."retired_slugs" ADD CONSTRAINT "retired_slugs_holder_id_fkey" FOREIGN KEY (holder_id) REFERENCES public.organizations(id) ON DELETE SET NULL;

CREATE INDEX retired_slugs_holder_idx ON private.retired_slugs USING btree (holder_id);

CREATE TRIGGER retire_campaign_slugs BEFORE DELETE ON public.campaigns FOR EACH ROW EXECUTE FUNCTION private.retire_campaign_slugs();

COMMENT ON COLUMN "private"."retired_slugs"."digest" IS 'SHA-256 of the slug: of a name that is erased nothing can be read.';

COMMENT ON COLUMN "private"."retired_slugs"."holder_id" IS 'Organisation that may take it again, since the posters are its own; null once it is erased.';

COMMENT ON COLUMN "private"."retired_slugs"."kind" IS 'Whose address it was: organization (/org/{slug}) or campaign (/c/{slug}).';

COMMENT ON FUNCTION "private"."erase_organizations"(integer) IS 'Job: everything of an organisation whose 30 days are over goes, a portion each run, the organisation itself last. Nobody gets its public addresses. One that the payment provider would go on charging waits until it is cancelled there.';

COMMENT ON FUNCTION "private"."is_campaign_slug_free"(text, uuid, uuid) IS 'Whether no other campaign has a slug, now or formerly, nor had one that is gone with its organisation. With p_org_id, a slug that a campaign of that organisation has now is free.';

COMMENT ON FUNCTION "private"."is_slug_retired"(text, text, uuid) IS 'Whether an address that is given up stays closed to an organisation, or to the user''s own: it was another one''s.';

COMMENT ON FUNCTION "private"."refuse_former_slug"() IS 'Refuses a slug that another organisation has or had: its posters would lead to a stranger. Error 23505.';

COMMENT ON FUNCTION "private"."retire_campaign_slugs"() IS 'Keeps the addresses of a deleted campaign, former ones included, from other organisations.';

COMMENT ON FUNCTION "private"."retire_slug"(text, text, uuid) IS 'Keeps an address that is given up from every organisation but the one that had it (retired_slugs).';

COMMENT ON FUNCTION "public"."remove_campaign"(uuid, boolean) IS 'Archives a campaign, which then is inactive, or deletes it when it has no history. Its wheel, the rewards that no other shares and its former addresses go with it; no other organisation gets these. Error TV067 when it has one: then nothing is changed. Error 42501 without the permission campaigns.delete there.';

COMMENT ON TABLE "private"."retired_slugs" IS 'Public addresses whose campaign or organisation is gone, for good: posters that still hang lead to nobody else (decision 025).';

REVOKE ALL ON FUNCTION "private"."is_slug_retired"(text, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."retire_campaign_slugs"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."retire_slug"(text, text, uuid) FROM PUBLIC;
