-- Why: limits of guesses and of spins a device let as many more through as connections asked at once; below 600 they are exact now.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.count_attempt(p_keys text[], p_limits integer[], p_window interval)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_start timestamptz := private.window_start(p_window);
  v_shard smallint := private.shard();
  v_hits integer[];
  v_total bigint;
begin
  with counted as (
    insert into private.rate_limits as r (key, window_start, shard, hits, expires_at)
    -- A limit below 600 is exact: who counts it waits for whoever counts it at that instant, in one row.
    select p_keys[i], v_start, case when p_limits[i] >= 600 then v_shard else 0 end, 1, v_start + p_window
    from generate_subscripts(p_keys, 1) i
    on conflict (key, window_start, shard) do update set hits = r.hits + 1
    returning r.hits
  )
  -- INSERT returns its rows in the order of the keys.
  select array_agg(c.hits) into v_hits from counted c;

  -- Now and then, whoever opens a window sweeps what is over. Rows that others hold are left to the next.
  if v_hits[1] = 1 and random() < 0.01 then
    delete from private.rate_limits r
    where r.ctid = any (array(
      select o.ctid from private.rate_limits o where o.expires_at < now()
      limit 500 for update skip locked
    ));
  end if;

  for i in 1..array_length(p_keys, 1) loop
    -- Connections share the load evenly: while this shard is below its part of a large limit, the whole is near enough below
    -- it, and reading the other shards can wait.
    continue when p_limits[i] >= 600 and v_hits[i] * 16 <= p_limits[i];
    select sum(r.hits) into v_total
    from private.rate_limits r where r.key = p_keys[i] and r.window_start = v_start;
    if v_total > p_limits[i] then
      return greatest(1, ceil(extract(epoch from v_start + p_window - now())))::integer;
    end if;
  end loop;
  return null;
end;
$function$;

COMMENT ON FUNCTION "private"."count_attempt"(text[], integer[], interval) IS 'Counts an attempt of each key in the present window of time. Answers null while each has its limit or fewer, else the seconds until the next window. A limit below 600 is exact; of a larger one, which an address or a key of the API shares, a few more may pass at the same instant.';
