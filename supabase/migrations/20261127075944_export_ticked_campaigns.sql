-- Why: campaigns that were ticked in the list are exported alone (ids), as customers and codes are.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.export_campaigns(p_org_id uuid, p_filters jsonb)
 RETURNS TABLE(name text, is_archived boolean, active boolean, starts_at timestamp with time zone, ends_at timestamp with time zone, store text, begun text, ended text, created text, scans integer, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_pattern constant text := private.words_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
begin
  return query
  with sums as (
    select d.campaign_id, sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews,
      sum(d.rating_sum)::integer as rating_sum, sum(d.spins)::integer as spins, sum(d.wins)::integer as wins,
      sum(d.redemptions)::integer as redemptions
    from private.campaign_figures_now(p_org_id) d group by d.campaign_id
  )
  select c.name, c.archived_at is not null, c.active, c.starts_at, c.ends_at, s.name,
    private.export_moment(coalesce(c.starts_at, c.created_at), z.timezone), private.export_moment(c.ends_at, z.timezone),
    private.export_moment(c.created_at, z.timezone), coalesce(f.scans, 0), coalesce(f.reviews, 0), coalesce(f.rating_sum, 0),
    coalesce(f.spins, 0), coalesce(f.wins, 0), coalesce(f.redemptions, 0)
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral (select coalesce(s.timezone, private.timezone_of(p_org_id)) as timezone) z
  left join sums f on f.campaign_id = c.id
  where c.org_id = p_org_id
    and (c.archived_at is not null) = coalesce((p_filters ->> 'is_archived')::boolean, false)
    and (p_filters -> 'ids' is null or c.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
    and (v_pattern is null or private.has_words(c.name, v_pattern, v_hint) or private.has_words(s.name, v_pattern, v_hint))
  order by c.created_at desc, c.id;
end;
$function$;

COMMENT ON FUNCTION "public"."export_campaigns"(uuid, jsonb) IS 'Campaigns of an organisation, newest first, as an export shows them: dates as their store counts them, and figures of all their time. Filters: is_archived (else those in use), ids (those that were ticked), search (part of a name or a store''s name).';
