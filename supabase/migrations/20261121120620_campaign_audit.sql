-- Why: putting a campaign away, and redrawing its wheel, change what customers find behind the printed code. Both belong
-- to what is written down of who did what.

drop trigger audit_campaign_change on public.campaigns;
create trigger audit_campaign_change
  after insert or delete or update of
    name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at on public.campaigns
  for each row execute function private.audit_change(
    'campaign', 'name', 'slug', 'description', 'store_id', 'active', 'starts_at', 'ends_at', 'play_interval_days',
    'archived_at');

create function private.audit_wheel() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Whoever makes a campaign with its wheel, or deletes it, is written down as doing that; slices that come, change and
  -- go together are one change.
  if exists (select 1 from public.campaigns c where c.id = new.id) and not exists (
    select 1 from public.audit_events e
    where e.org_id = new.org_id and e.subject_id = new.id and e.created_at = now()
      and (e.action = 'campaign.created' or e.detail -> 'fields' = '["wheel"]'::jsonb)
  ) then
    perform private.audit(new.org_id, 'campaign.updated', 'campaign', new.id,
      jsonb_build_object('name', new.name, 'fields', jsonb_build_array('wheel')));
  end if;
  return null;
end;
$$;
comment on function private.audit_wheel() is
  'Writes down, once a transaction, that the wheel of a campaign was redrawn: a change of its slices sets the version.';
create constraint trigger audit_wheel after update of version on public.campaigns
  deferrable initially deferred for each row execute function private.audit_wheel();
