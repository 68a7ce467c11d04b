-- Why: a code that points have bought is taken at any store in use, but its ticket named the store of the campaign, even an archived one.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.points_wallet(p_campaign_id uuid, p_proofs jsonb, p_locale text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_lots uuid[];
  v_ends jsonb;
begin
  select c.org_id into v_org_id from public.campaigns c where c.id = p_campaign_id;
  if not found then
    return null;
  end if;
  v_lots := array(select l.id from private.proven_points(p_campaign_id, p_proofs) l);
  select jsonb_build_object('points', sum(l.remaining), 'at', l.expires_at) into v_ends
  from public.points_ledger l
  where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l) and l.expires_at is not null
  group by l.expires_at order by l.expires_at limit 1;
  return jsonb_build_object(
    'balance', (
      select coalesce(sum(l.remaining), 0) from public.points_ledger l
      where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l)),
    'ends', v_ends,
    -- A code that points have bought is good at each store.
    'place', (select jsonb_build_object('kind', p.kind, 'name', p.name) from private.taken_in(v_org_id, null) p),
    'rewards', private.points_offer(v_org_id, p_locale),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'code', s.code,
        'reward', private.in_language(s.reward_name, s.translations, p_locale), 'points', s.points,
        'status', s.state, 'expires_at', s.expires_at, 'used_at', s.used_at)
        order by s.id desc)
      from (
        select o.id, o.code, o.reward_name, o.points, o.expires_at, o.used_at, private.points_code_state(o) as state,
          w.translations
        from public.points_spends o
        -- A reward that was renamed since is translated otherwise.
        left join public.points_rewards w
          on w.org_id = o.org_id and w.id = o.points_reward_id and w.name = o.reward_name
        where o.org_id = v_org_id and o.id in (
          select l.spend_id from public.points_ledger l
          where l.org_id = v_org_id and l.lot_id = any (v_lots) and l.kind = 'spent')
        order by o.id desc limit 10
      ) s), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION private.taken_at(p_code public.redemptions, OUT kind text, OUT name text, OUT address text)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.taken_in(p_code.org_id, case when private.has_own_till(p_code) then p_code.store_id end);
$function$;

CREATE OR REPLACE FUNCTION private.taken_in(p_org_id uuid, p_store_id uuid, OUT kind text, OUT name text, OUT address text)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    case count(s.id) when 0 then 'none' when 1 then 'store' else 'stores' end,
    case count(s.id) when 1 then min(s.name) else min(o.name) end,
    case count(s.id) when 1 then min(s.address) end
  from public.organizations o
  left join public.stores s on s.org_id = o.id and s.archived_at is null
    and s.id = coalesce(p_store_id, s.id)
  where o.id = p_org_id;
$function$;

COMMENT ON FUNCTION "private"."points_wallet"(uuid, jsonb, text) IS 'Points that a phone can prove (private.proven_points), in its language: balance, the points that end first, where its codes are taken (private.taken_in), the catalogue (nothing while the organisation is closed), and the last 10 codes; null without such a campaign. The shape is pointsWallet of _shared/domain.';

COMMENT ON FUNCTION "private"."taken_at"(public.redemptions) IS 'Where a code is taken (private.taken_in): at its own store, while that is in use, else at any other. The rule is that of private.code_at.';

COMMENT ON FUNCTION "private"."taken_in"(uuid, uuid) IS 'Where codes of an organisation are taken, for their winner: at the given store, or at all in use (null). One has its name and address; several (stores), or none any more, the organisation''s name and no address.';

REVOKE ALL ON FUNCTION "private"."taken_in"(uuid, uuid) FROM PUBLIC;
