-- Why: a campaign that was copied lost the prizes that it shared with others: their segments kept the name of the prize, and won nothing.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.copy_prizes(p_org_id uuid, p_source_id uuid, p_campaign_id uuid, p_stock integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.org_id = p_org_id and ((r.campaign_id = p_source_id and r.archived_at is null) or r.id in (
      select s.reward_id from public.wheel_segments s where s.org_id = p_org_id and s.campaign_id = p_source_id))
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

COMMENT ON FUNCTION "private"."copy_prizes"(uuid, uuid, uuid, integer) IS 'Gives a new campaign the rewards and the wheel of another one of its organisation, those that it shares as well. Each gets this stock (-1: unlimited), or what is left of the one that is copied (null).';
