-- Why: a key of the API is taken back for good and its row stays, for what it did; a store that nothing else ever hung on
-- could not be deleted any more, and nothing that its owner saw said why.

create or replace function private.has_store_history(p_org_id uuid, p_store_id uuid) returns boolean
language sql stable
as $$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.store_id = p_store_id)
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    -- Whoever works there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id)
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$$;
comment on function private.has_store_history(uuid, uuid) is
  'Whether a campaign, a figure, a code used there, somebody''s place or a key that was not taken back hangs on a store: then '
  'it is archived, never deleted.';

create or replace function public.remove_store(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  -- The lock keeps new campaigns away until it is decided.
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (array(select private.my_org_ids('stores.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- What was taken back opens nothing, whichever till it names.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  delete from public.stores s where s.id = p_id;
end;
$$;
