-- Why: a hosted project has no process of ours. Its database runs the jobs itself (pg_cron), and calls the server function
-- run-jobs (pg_net) while messages wait: SQL can neither send a mail, nor ask the payment provider, nor take the bytes of a
-- file out of the platform's storage. Elsewhere nothing of this is there, and a process of ours does that work.

alter table private.outbox drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'payment', 'file'));
comment on column private.outbox.channel is
  'mail, sms, payment (work at the payment provider), or file (files to remove, on a hosted project).';
comment on column private.outbox.recipient is
  'Address or phone number; a customer of the payment provider; the bucket of files.';

create or replace function private.forget_files(p_bucket text, p_names text[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- What an entry of the outbox has room for.
  c_at_once constant integer := 100;
  v_names text[];
  v_count integer;
begin
  -- Where bytes stand in the database they go with the row.
  if to_regclass('storage.contents') is not null then
    delete from storage.objects o where o.bucket_id = p_bucket and o.name = any (p_names);
    get diagnostics v_count = row_count;
    return v_count;
  end if;
  -- On a hosted project they would be left behind: the storage itself removes both.
  v_names := array(
    select n.name from unnest(p_names) n (name)
    where not exists (
      select from private.outbox m
      where m.channel = 'file' and m.state = 'queued' and m.recipient = p_bucket and m.data -> 'names' ? n.name)
    order by n.name);
  v_count := cardinality(v_names);
  for v_first in 1 .. v_count by c_at_once loop
    -- The job sweep_files finds again within the hour what could not be removed by then.
    perform private.enqueue_message('file', 'remove', p_bucket,
      jsonb_build_object('names', v_names[v_first : v_first + c_at_once - 1]), now() + interval '1 hour');
  end loop;
  return v_count;
end;
$$;
comment on function private.forget_files(text, text[]) is
  'Takes files out of a bucket, or has them taken out on a hosted project; answers how many.';

create function private.call_worker() returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_url text;
  v_secret text;
begin
  -- Most of the time nothing waits, and nobody is called.
  if coalesce(private.next_message_in() > 0, true) then
    return null;
  end if;
  select max(s.decrypted_secret) filter (where s.name = 'project_url'),
    max(s.decrypted_secret) filter (where s.name = 'jobs_secret')
  into v_url, v_secret
  from vault.decrypted_secrets s where s.name in ('project_url', 'jobs_secret');
  if v_url is null or v_secret is null then
    raise exception 'The Vault lacks project_url or jobs_secret.' using errcode = '55000';
  end if;
  return net.http_post(
    url := v_url || '/functions/v1/run-jobs',
    headers := jsonb_build_object('content-type', 'application/json', 'x-jobs-secret', v_secret),
    body := '{}'::jsonb,
    timeout_milliseconds := 60000);
end;
$$;
comment on function private.call_worker() is
  'Calls the server function run-jobs of a hosted project while messages wait; pg_cron runs it. Answers the request''s '
  'number, null when nothing waits. Error 55000 where the Vault does not say which project this is.';

do $$
begin
  -- Any other PostgreSQL lacks one of them.
  if (select count(*) from pg_catalog.pg_available_extensions
      where name in ('pg_cron', 'pg_net', 'supabase_vault')) < 3
  then
    return;
  end if;
  create extension if not exists supabase_vault;
  create extension if not exists pg_net with schema extensions;
  create extension if not exists pg_cron with schema pg_catalog;
  perform cron.schedule('tournavis jobs', '* * * * *', 'select private.run_due_jobs()');
  perform cron.schedule('tournavis worker', '10 seconds', 'select private.call_worker()');
  perform cron.schedule('tournavis history', '17 3 * * *',
    $c$delete from cron.job_run_details where end_time < now() - interval '7 days'$c$);
-- Installed, but not switched on for this database: a process of ours works there.
exception when object_not_in_prerequisite_state or insufficient_privilege or undefined_object or raise_exception then
  raise warning 'pg_cron is not to be had here (%): run a server process for jobs and messages.', sqlerrm;
end;
$$;
