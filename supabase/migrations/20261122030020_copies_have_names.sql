-- Why: a copy that was asked for without a name failed at the table's constraint, which a data API may answer as a fault of
-- its own, and a name of spaces and joiners alone was taken for one, though no list can show it.

create or replace function public.duplicate_campaign(p_id uuid, p_name text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_name text := btrim(left(btrim(p_name), 120));
  v_base constant text := coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Neither nothing nor signs that nobody sees are a name.
  if v_name is null or v_name !~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(btrim(p_name), 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.campaign_id = p_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at)
    select w.copy_id, w.org_id, v_copy.id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      w.stock, w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond'
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select s.org_id, v_copy.id, w.copy_id, s.label, s.color, s.weight, s.position
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.campaign_id = p_id;
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$$;
comment on function public.duplicate_campaign(uuid, text) is
  'Copies a campaign with its wheel and its rewards (with the stock that is left), under a name that gets a number where '
  'it is taken, and a slug of its own: inactive, without history, without dates that are over. Answers id and name. '
  'Errors: 42501 when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';
