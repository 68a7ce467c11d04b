-- Why: open screens are told at once what changed in their organisation (realtime.messages).

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.broadcast_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(
    jsonb_build_object('kind', tg_argv[1], 'id', new.id, 'campaign_id', new.campaign_id),
    'change', 'organization:' || new.org_id || ':' || tg_argv[0], true);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.may_hear(p_topic text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_parts constant text[] := regexp_match(
    p_topic, '^organization:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(activity|codes)$');
  v_org_id uuid;
begin
  if v_parts is null then
    return false;
  end if;
  v_org_id := v_parts[1]::uuid;
  if v_parts[2] = 'activity' then
    return v_org_id in (select private.my_org_ids('activity.read'));
  end if;
  return v_org_id in (select private.my_org_ids('codes.read'))
    or v_org_id in (select private.my_org_ids('codes.redeem'));
end;
$function$;

CREATE TRIGGER broadcast_change AFTER INSERT ON public.pre_spin_reviews FOR EACH ROW EXECUTE FUNCTION private.broadcast_change('activity', 'review');

CREATE TRIGGER broadcast_code_change AFTER UPDATE OF status ON public.redemptions FOR EACH ROW WHEN (((new.status IS DISTINCT FROM old.status) AND (('used'::text = new.status) OR ('used'::text = old.status)))) EXECUTE FUNCTION private.broadcast_change('codes', 'code');

CREATE TRIGGER broadcast_new_code AFTER INSERT ON public.redemptions FOR EACH ROW EXECUTE FUNCTION private.broadcast_change('codes', 'win');

CREATE TRIGGER broadcast_change AFTER INSERT ON public.scan_events FOR EACH ROW EXECUTE FUNCTION private.broadcast_change('activity', 'scan');

CREATE TRIGGER broadcast_change AFTER INSERT ON public.spins FOR EACH ROW EXECUTE FUNCTION private.broadcast_change('activity', 'spin');

CREATE POLICY "Members hear what changes in their organisation" ON "realtime"."messages" FOR SELECT TO "authenticated" USING (((extension = 'broadcast'::text) AND private.may_hear(( SELECT realtime.topic() AS topic))));

COMMENT ON FUNCTION "private"."broadcast_change"() IS 'Tells the channel of the trigger''s first argument that something of the second kind was written: scan, review, spin, win (a new code) or code (one that was used or given back).';

COMMENT ON FUNCTION "private"."may_hear"(text) IS 'Whether the signed-in user may listen to a channel: organization:{id}:activity with activity.read, organization:{id}:codes with codes.read or codes.redeem. Errors of my_org_ids().';

REVOKE ALL ON FUNCTION "private"."broadcast_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_hear"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."may_hear"(text) TO "authenticated";
