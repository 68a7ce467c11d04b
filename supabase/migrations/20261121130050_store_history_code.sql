-- Why: two refusals had one code, « this store has a history » and « your organisation could not be looked up »; a page that
-- goes by the code would say the one for the other.

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
  delete from public.stores s where s.id = p_id;
end;
$$;
comment on function public.remove_store(uuid, boolean) is
  'Archives a store, whose campaigns then stop, or deletes it when nothing hangs on it. Error TV140 when something does: '
  'then nothing is changed. Error 42501 without the permission stores.delete there.';
