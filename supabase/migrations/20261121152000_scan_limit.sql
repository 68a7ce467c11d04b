-- Why: a visitor was an address with a browser's name, and the name is whatever a program says: one machine could count a
-- merchant's scans up without end, and write a row each time. As with ratings and turns, an address has its limit in a
-- campaign, high enough for a shop's Wi-Fi and a mobile network.

drop function public.record_scan(text, text, text);

create function public.record_scan(p_slug text, p_source text, p_visitor_hash text, p_address_hash text) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  -- Looked at first, so that reloading a page takes nothing from those who share an address.
  if exists (
    select 1 from private.recent_scans r
    where r.campaign_id = v_campaign.id and r.visitor_hash = p_visitor_hash
      and r.scanned_at > now() - interval '30 minutes'
  ) then
    return 'repeated';
  end if;
  if private.take(
    array['scan address ' || p_address_hash || ' ' || v_campaign.id::text], '{600}', interval '1 hour') is not null
  then
    return 'too_many_attempts';
  end if;
  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where r.scanned_at <= now() - interval '30 minutes';
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where o.scanned_at < now() - interval '30 minutes'
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$$;
comment on function public.record_scan(text, text, text, text) is
  'Counts a scan of a running campaign, once in 30 minutes for a visitor, and 600 new visitors an hour of one address. '
  'Outcomes: counted, repeated, too_many_attempts, campaign_not_found.';
grant execute on function public.record_scan(text, text, text, text) to service_role;
