-- Why: the rules of the game name the thing that a prize gives; customers who read another language read it in theirs, where its merchant has translated it.

set check_function_bodies = off;

DROP TRIGGER "audit_reward_change" ON "public"."rewards";

DROP TRIGGER "bump_reward_version" ON "public"."rewards";

ALTER TABLE "public"."rewards" ADD COLUMN "item_translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

CREATE OR REPLACE FUNCTION private.campaign_words(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('text', w.text, 'translations', w.translations) order by w.text), '[]'::jsonb)
  from (
    -- A text is said in one way wherever it stands: as the newest reward of that name says it.
    select distinct on (t.text) t.text, t.translations
    from (
      select r.name as text, r.translations, 1 as rank, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.translations <> '{}' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
      union all
      select s.label, s.translations, 2, null
      from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.translations <> '{}'
        -- Left from another text: a reward's name is translated with the reward.
        and not exists (
          select 1 from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id and r.name = s.label)
      union all
      select d.label, d.translations, 3, null
      from private.default_segments d
      where d.purpose = 'losing'
        or not exists (select 1 from public.wheel_segments s where s.campaign_id = p_campaign_id)
      union all
      select c.name, c.translations, 4, null
      from public.campaigns c where c.id = p_campaign_id and c.org_id = p_org_id and c.translations <> '{}'
      union all
      select r.metadata ->> 'item', r.item_translations, 5, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.item_translations <> '{}' and r.metadata ? 'item' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
    ) t
    order by t.text, t.rank, t.created_at desc
  ) w;
$function$;

CREATE OR REPLACE FUNCTION private.copy_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid, p_stock integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.org_id = p_org_id and r.campaign_id = p_source_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_source_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at, picture, translations,
      item_translations)
    select w.copy_id, w.org_id, p_campaign_id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      coalesce(p_stock, w.stock), w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond',
      w.picture, w.translations, w.item_translations
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select s.org_id, p_campaign_id, w.copy_id, s.label, s.color, s.weight, s.position, s.translations
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.org_id = p_org_id and s.campaign_id = p_source_id;
$function$;

CREATE TRIGGER audit_reward_change AFTER INSERT OR DELETE OR UPDATE OF name, description, type, value, campaign_id, code_template, max_per_user, metadata, active, archived_at, picture, translations, item_translations ON public.rewards FOR EACH ROW EXECUTE FUNCTION private.audit_change('reward', 'name', 'description', 'type', 'value', 'campaign_id', 'code_template', 'max_per_user', 'metadata', 'active', 'archived_at', 'picture', 'translations', 'item_translations');

CREATE TRIGGER bump_reward_version BEFORE UPDATE OF campaign_id, name, description, type, reward_type, value, code_template, max_per_user, metadata, picture, translations, item_translations ON public.rewards FOR EACH ROW EXECUTE FUNCTION private.bump_reward_version();

COMMENT ON COLUMN "public"."rewards"."item_translations" IS 'Translations of metadata.item, where that is not the name: an item called like the reward is said as the reward is.';

COMMENT ON FUNCTION "private"."campaign_words"(uuid, uuid) IS 'Translations of a campaign''s texts, which customers read in their language: names of its rewards, archived as well, the items that they give, texts of its wheel, and its own name. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

REVOKE ALL ("item_translations") ON TABLE "public"."rewards" FROM "authenticated";

GRANT INSERT ("item_translations"), UPDATE ("item_translations") ON TABLE "public"."rewards" TO "authenticated";

ALTER TABLE "public"."rewards" ADD CONSTRAINT "rewards_item_translations_check" CHECK (private.is_translations(item_translations, 200));
