/**
 * Storage of a Supabase project before the first migration, on top of the tables that Supabase Lite
 * declares: rights, which policies narrow, and the place of the bytes. That is the database:
 * processes with data folders of their own have the same files, and a backup has them all. No file
 * is there without its row (docs/decisions/036-brand-and-logo-storage.md).
 */
export const STORAGE_SQL = `
create table if not exists storage.contents (
  bucket_id text not null,
  name text not null,
  body bytea not null,
  content_type text not null,
  cache_control text not null,
  etag text not null,
  written_at timestamptz not null default now(),
  primary key (bucket_id, name)
);
-- Pictures are compressed already.
alter table storage.contents alter column body set storage external;
alter table storage.contents enable row level security;

create or replace function storage.drop_contents() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from storage.contents c where c.bucket_id = old.bucket_id and c.name = old.name;
  return null;
end;
$$;
create or replace trigger drop_contents after delete on storage.objects
  for each row execute function storage.drop_contents();

revoke all on schema storage from public;
grant usage on schema storage to anon, authenticated, service_role;
revoke all on all tables in schema storage from public, anon, authenticated, service_role;
revoke all on function storage.drop_contents() from public;
grant select, insert, update, delete on storage.buckets, storage.objects, storage.contents to service_role;
-- A hosted project grants more, and lets policies refuse it; here nobody has a right that no policy uses.
grant insert (bucket_id, name, owner, owner_id, version, metadata, user_metadata) on storage.objects to authenticated;

-- Supabase Lite looks after its tables with the account that the API logs in as. That account may become
-- service_role, but does not pass row-level security by itself as service_role does.
drop policy if exists "The server looks after buckets" on storage.buckets;
create policy "The server looks after buckets" on storage.buckets to service_role using (true) with check (true);
drop policy if exists "The server looks after files" on storage.objects;
create policy "The server looks after files" on storage.objects to service_role using (true) with check (true);
`;
