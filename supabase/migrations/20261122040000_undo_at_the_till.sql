-- Why: a cashier who validated the wrong code could not take it back. `restore_code` lets whoever redeems codes do so, but
-- names a redemption by its identifier, which the till never learnt: now it is told, for as long as it is of use.

create or replace function private.describe_code(p_state text, p_code text, p_redemption public.redemptions) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'state', p_state,
    'code', coalesce(p_redemption.code, p_code),
    'reward', case when p_redemption.id is not null then (
      select jsonb_build_object('id', r.id, 'name', p_redemption.reward_name, 'type', r.type)
      from public.rewards r where r.org_id = p_redemption.org_id and r.id = p_redemption.reward_id) end,
    'customer', case when p_redemption.id is not null then
      jsonb_build_object('name', coalesce(p_redemption.end_user_name, p_redemption.end_user_email)) end,
    'store', case when p_redemption.id is not null then (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_redemption.org_id and s.id = p_redemption.store_id) end,
    'expires_at', p_redemption.expires_at,
    'used_at', p_redemption.used_at,
    'used_by', case
      when p_redemption.used_by is not null then private.user_name(p_redemption.used_by)
      when p_redemption.used_at is not null then (
        select k.name from public.redemption_events e
        join private.api_keys k on k.org_id = e.org_id and k.id = e.api_key_id
        where e.org_id = p_redemption.org_id and e.redemption_id = p_redemption.id and e.action = 'used'
        order by e.created_at desc limit 1)
    end,
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_redemption.used_at) then p_redemption.id
    end
  );
$$;
