-- Proof of presence: what shows, in a campaign that asks for it, that a customer is in the store.
--
-- A code on the till's screen, the word of the day, or digits of a receipt are exchanged for a pass of half an hour. The spin checks
-- it in its own transaction: no page decides. What is shown in the store is tied to no purchase. It proves
-- that a person was there, not who: a thousand phones may show the same code. Nothing about a place is asked of a phone.

create function private.presence_step() returns interval
language sql immutable parallel safe
return interval '30 seconds';
comment on function private.presence_step() is
  'How long the till''s screen shows one code of presence (PRESENCE_STEP_S of _shared/domain).';

create function private.presence_code(p_key bytea, p_at timestamptz) returns text
language sql stable set search_path = ''
as $$
  select lpad((('x' || substr(encode(
    private.hmac_sha256(p_key, 'turning ' || floor(extract(epoch from p_at) / extract(epoch from private.presence_step()))::bigint),
    'hex'), 1, 12))::bit(48)::bigint
    % 1000000)::text, 6, '0');
$$;
comment on function private.presence_code(bytea, timestamptz) is 'The six digits that the till''s screen shows at an instant: others after each step.';

create function private.presence_codes(p_key bytea, p_at timestamptz) returns text[]
language sql stable set search_path = ''
as $$
  select array_agg(private.presence_code(p_key, p_at + n * private.presence_step()) order by n) from generate_series(0, 9) n;
$$;
comment on function private.presence_codes(bytea, timestamptz) is
  'The code of an instant and the nine after it, in order: those of the next five minutes.';

create function private.presence_words() returns text[]
language sql immutable set search_path = ''
as $$
  select string_to_array(
  'abeille abricot agrume amande ananas ancre arbre avion avoine balade ballon banane bateau beurre biscuit bougie boussole brioche '
  || 'cabane cactus cadran canard caramel carotte cascade cerise chalet chalut chapeau chat cheval cigale citron clavier coccinelle '
  || 'colline compote concert copain coquille corail crayon crocus dauphin dessin domino dragon drapeau escargot falaise fanfare '
  || 'farine ferme feuille figue flocon fontaine fourmi fraise framboise fromage galet galette gaufre genou girafe glacier gland '
  || 'grenade guitare hamac haricot herbe horloge hublot jardin jasmin jonquille koala lagune lampion laurier lavande lilas limace '
  || 'loutre lune lutin macaron maison mandarine marmite marron melon menthe merle miel mimosa mirabelle mouette moulin muguet '
  || 'myrtille navire neige noisette nuage olive orage orange orchestre ortie otarie paille palmier panda panier papaye papillon '
  || 'parasol pastis peluche pinceau piano pignon pistache plage plume poire poivre pomme potiron prairie prune radis raisin renard '
  || 'rivage robot romarin ruche sable sapin saumon savon soleil sorbet tambour tartine tilleul tomate tortue trompette tulipe '
  || 'tunnel vague valise vanille velours verger violette violon voilier yaourt', ' ');
$$;
comment on function private.presence_words() is 'Words of which one is the word of a day: short, without an accent, friendly.';

create function private.presence_word(p_key bytea, p_day date) returns text
language sql stable set search_path = ''
as $$
  select w.words[1 + d.number % cardinality(w.words)] || ' ' || lpad((d.number / 1000 % 100)::text, 2, '0')
  from (select private.presence_words() as words) w
  cross join (
    select ('x' || substr(encode(private.hmac_sha256(p_key, 'word ' || to_char(p_day, 'YYYY-MM-DD')), 'hex'), 1, 12))::bit(48)::bigint
      as number
  ) d;
$$;
comment on function private.presence_word(bytea, date) is 'The word of a day, with two digits so that nobody guesses it: « cerise 42 ».';

create function private.is_presence_proof(p_kind text, p_key bytea, p_proof text, p_timezone text, p_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select case p_kind
    -- Its step and both beside it: for clocks that differ by 10 seconds and somebody who takes 20 to type.
    when 'turning' then regexp_replace(p_proof, '[^0-9]', '', 'g') in (
      private.presence_code(p_key, p_at - private.presence_step()), private.presence_code(p_key, p_at),
      private.presence_code(p_key, p_at + private.presence_step()))
    -- A word that was read before midnight holds for ten minutes more.
    when 'word' then lower(regexp_replace(p_proof, '[^A-Za-z0-9]', '', 'g')) in (
      replace(private.presence_word(p_key, (p_at at time zone p_timezone)::date), ' ', ''),
      replace(private.presence_word(p_key, ((p_at - interval '10 minutes') at time zone p_timezone)::date), ' ', ''))
    when 'receipt' then regexp_replace(p_proof, '\s', '', 'g') ~ '^[0-9]{4}$'
    else false
  end;
$$;
comment on function private.is_presence_proof(text, bytea, text, text, timestamptz) is
  'Whether what somebody typed, or scanned, is what the store shows at an instant, whatever its spaces and case. Of a receipt only the form of '
  'its last four digits is looked at.';

create function private.presence_seal(p_key bytea, p_device_hash text, p_until text) returns text
language sql stable set search_path = ''
as $$ select encode(private.hmac_sha256(p_key, 'pass ' || p_until || ' ' || p_device_hash), 'hex'); $$;
comment on function private.presence_seal(bytea, text, text) is
  'Signature that makes a pass of a device, until a second of Unix time, one of ours.';

create function private.is_presence_pass(p_key bytea, p_pass text, p_device_hash text, p_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select case when p_pass ~ '^[0-9]{10}\.[0-9a-f]{64}$' then
    split_part(p_pass, '.', 1)::bigint > extract(epoch from p_at)
    -- Compared as hashes, so that the time that it takes tells nothing.
    and sha256(convert_to(split_part(p_pass, '.', 2), 'UTF8'))
      = sha256(convert_to(private.presence_seal(p_key, p_device_hash, split_part(p_pass, '.', 1)), 'UTF8'))
    else false end;
$$;
comment on function private.is_presence_pass(bytea, text, text, timestamptz) is
  'Whether a pass was given to a device in a campaign, and is not over at an instant.';

create function public.prove_presence(
  p_campaign_id uuid, p_proof text, p_device_hash text, p_address_hash text,
  out outcome text, out pass text, out valid_until timestamptz, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_keys constant text[] := array[
    'presence address ' || p_address_hash || ' ' || p_campaign_id::text,
    'presence device ' || p_device_hash || ' ' || p_campaign_id::text
  ];
  -- Only what is wrong counts: a shop's customers share its Wi-Fi.
  v_limits constant integer[] := '{60,10}';
  v_campaign record;
  v_key text;
  v_is_right boolean;
  v_seconds integer;
begin
  select k.presence, k.presence_key, s.timezone into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id and private.is_running(c, u);
  if not found then
    outcome := 'campaign_not_found';
    return;
  elsif v_campaign.presence is null then
    outcome := 'not_asked';
    return;
  end if;
  v_is_right := coalesce(private.is_presence_proof(
    v_campaign.presence, v_campaign.presence_key, p_proof, v_campaign.timezone, now()), false);
  v_seconds := private.seconds_blocked(v_keys, v_limits, interval '1 hour');
  if v_seconds is null then
    -- Wrong attempts go one by one, and a right one waits for those before it: a thousand at once have no more tries than one
    -- after the other. Right ones wait for no right one, and the address comes before the device, or two would stop each other.
    foreach v_key in array v_keys loop
      if v_is_right then
        perform pg_advisory_xact_lock_shared(hashtextextended(v_key, 0));
      else
        perform pg_advisory_xact_lock(hashtextextended(v_key, 0));
      end if;
    end loop;
    v_seconds := private.seconds_blocked(v_keys, v_limits, interval '1 hour');
  end if;
  if v_seconds is null and v_is_right then
    outcome := 'proven';
    valid_until := date_trunc('second', now() + interval '30 minutes');
    pass := extract(epoch from valid_until)::bigint::text;
    pass := pass || '.' || private.presence_seal(v_campaign.presence_key, p_device_hash, pass);
    return;
  end if;
  v_seconds := coalesce(v_seconds, private.count_attempt(v_keys, v_limits, interval '1 hour'));
  if v_seconds is null then
    outcome := 'presence_wrong';
  else
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_seconds);
  end if;
end;
$$;
comment on function public.prove_presence(uuid, text, text, text) is
  'Exchanges what a store shows for a pass of half an hour, which spin_wheel asks for: good for one device in one campaign, for as many spins '
  'as it has. Outcomes: proven (pass, valid_until), not_asked, presence_wrong, too_many_attempts (retry_at) and campaign_not_found. Only '
  'wrong attempts count, 60 an hour from an address and 10 from a device.';
grant execute on function public.prove_presence(uuid, text, text, text) to service_role;

create function public.presence_board(p_store_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_store public.stores;
  v_at constant timestamptz := now();
  v_step_ms constant bigint := extract(epoch from private.presence_step()) * 1000;
begin
  select s.* into v_store
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = (select private.my_user_id())
    and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'turns_in_ms', v_step_ms - floor(extract(epoch from v_at) * 1000)::bigint % v_step_ms,
    'day_ends_in_ms', ceil(extract(epoch from (
      ((v_at at time zone v_store.timezone)::date + 1)::timestamp at time zone v_store.timezone - v_at)) * 1000)::bigint,
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'name', c.name, 'slug', c.slug, 'kind', k.presence,
        'codes', case when k.presence = 'turning' then private.presence_codes(k.presence_key, v_at) end,
        'word', case when k.presence = 'word' then
          private.presence_word(k.presence_key, (v_at at time zone v_store.timezone)::date) end
      ) order by c.created_at desc, c.id)
      from private.check_settings k
      join public.campaigns c on c.org_id = k.org_id and c.id = k.campaign_id
      join public.subscriptions u on u.org_id = c.org_id
      where k.org_id = v_store.org_id and c.store_id = p_store_id and k.presence in ('turning', 'word')
        and private.is_running(c, u)
    ), '[]'::jsonb));
end;
$$;
comment on function public.presence_board(uuid) is
  'Board of the till''s screen of a store: for each running campaign that asks for it the codes of the next five minutes, or '
  'the word of the day. How long they are good; the shape is presenceBoard of _shared/domain. Error 42501 to whoever may not '
  'redeem codes at that store; errors of my_user_id().';
grant execute on function public.presence_board(uuid) to authenticated;
