-- Why: customers, invitations and accounts each had a shape of their own for an e-mail address, and the loosest took « a@b.fr> »,
-- « a@b.fr; », « race@x.fr. » and « a@b.test%0aBcc:x »: nobody can be reached there, and somebody known comes as another person.
-- What an address is stands here and in isEmailAddress of _shared/domain (docs/decisions/061).

create function private.is_email(p_email text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return length(p_email) <= 254 and strpos(p_email, '@') <= 65
    and p_email ~ ('^[A-Za-z0-9_#$&''*+/=?^`{|}~-]+(\.[A-Za-z0-9_#$&''*+/=?^`{|}~-]+)*'
      '@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,63}|xn--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$');
end;
$$;
comment on function private.is_email(text) is
  'Whether a text is an address that every mail server can be asked to reach: ASCII alone, at most 64 signs and 254 in all, '
  'single dots, no % and !, a host name with a dot. The same rule as isEmailAddress of _shared/domain.';
grant execute on function private.is_email(text) to authenticated, service_role;

-- Nobody can be asked about addresses that stand there already: they stay, and what is new is judged.
create function private.refuse_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
end;
$$;
comment on function private.refuse_email() is
  'Refuses what is no e-mail address. Error 23514, constraint customers_email_is_address.';
create trigger check_email_on_insert before insert on public.customers
  for each row when (not private.is_email(new.email))
  execute function private.refuse_email();
create trigger check_email_on_update before update of email on public.customers
  for each row when (new.email is distinct from old.email and not private.is_email(new.email))
  execute function private.refuse_email();

-- Reviews, turns and codes keep the address that was typed, whoever it names.
create or replace function private.find_or_create_customer(
  p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text,
  p_email text, p_phone text, p_consent_marketing boolean, p_spins integer default 0,
  out customer_id uuid, out is_new boolean
)
language plpgsql volatile
as $$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  if not private.is_email(p_email) then
    raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
  end if;
  is_new := false;
  -- Two rounds: whoever loses the race for a new customer finds the winner's row in the second.
  for round in 1..2 loop
    if v_email is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.email_normalized = v_email
      for no key update;
    end if;
    if customer_id is null and v_phone is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.phone_normalized = v_phone
      for no key update;
    end if;
    exit when customer_id is not null;

    insert into public.customers as c
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins)
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$$;
comment on function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean, integer) is
  'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins turns of the wheel. '
  'The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until '
  'the end of the transaction, so that two calls of one person take turns. Error 23514 when the e-mail is no address.';

-- An invitation to no address waits for nobody; one that was accepted is a record.
delete from private.invitations i where not private.is_email(i.email) and i.accepted_at is null;
alter table private.invitations
  drop constraint invitations_email_check,
  add constraint invitations_email_check
    check (email = lower(email) and (private.is_email(email) or accepted_at is not null));
