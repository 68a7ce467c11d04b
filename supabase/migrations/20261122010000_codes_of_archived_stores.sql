-- Why: whoever puts a store away is told that the codes won there stay good, but its till is gone and every other one
-- answered « another store »: nobody could use them any more.

create or replace function private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
returns table (state text, redemption public.redemptions)
language plpgsql stable
as $$
declare
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      -- A store that was put away has no till: its codes are good at any other.
      when v_redemption.store_id <> p_store_id and exists (
        select 1 from public.stores s
        where s.org_id = p_org_id and s.id = v_redemption.store_id and s.archived_at is null
      ) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.status = 'expired' or v_redemption.expires_at <= now() then 'expired'
      else 'available'
    end,
    v_redemption;
end;
$$;
comment on function private.code_at(uuid, uuid, text) is
  'What a code of an organisation is at one of its stores, whatever its case and spaces: available, used, expired, '
  'other_store (never for a store that was put away), test, unknown (other merchants'' codes too).';
