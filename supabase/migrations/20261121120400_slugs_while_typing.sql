-- Why: whoever renames a campaign or a store wants to know while typing whether the address is free, as one who founds
-- an organisation already does. The question therefore names what the slug is for: its own address, and one that it
-- left behind, are no obstacle to it.

drop function public.is_slug_free(text, text);
create function public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid default null) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      )
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.campaigns c where c.slug = p_slug and c.id is distinct from p_owner_id
      ) and not exists (
        select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_owner_id
      )
  end;
end;
$$;
comment on function public.is_slug_free(text, text, uuid) is
  'Whether an organisation or a campaign (over the whole platform, former addresses of campaigns included) or a store '
  '(within one''s organisation) may take a slug; the owner is the store or campaign that would take it, null for a new '
  'one. False when it is no slug, null for another kind. Kind, to be told early: the constraints decide.';
grant execute on function public.is_slug_free(text, text, uuid) to authenticated;
