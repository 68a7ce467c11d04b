-- Address of the page that the screen « Votre marque » shows: the merchant's own, as customers open it.

create or replace function public.brand_settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('stores.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    or not exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = p_org_id
        and private.role_may(m.role, 'organization.update'))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('organization', o.name, 'slug', o.slug,
      'included', private.has_feature(o.id, 'white_label'), 'brand', private.stored_brand(o.id),
      'campaign_slug', (
        select c.slug
        from public.campaigns c
        join public.subscriptions u on u.org_id = c.org_id
        where c.org_id = o.id and c.active and private.is_running(c, u)
        order by c.created_at desc, c.id
        limit 1
      ))
    from public.organizations o where o.id = p_org_id);
end;
$$;
comment on function public.brand_settings(uuid) is
  'What the screen « Votre marque » shows: the organisation''s name and address, that of its newest running '
  'campaign, its brand, and whether its plan shows it to customers. The shape is brandSettings of _shared/domain. Error 42501 without the permission organization.update there.';
