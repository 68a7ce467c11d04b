/**
 * Tables that Supabase Lite's schema `auth` lacks of a hosted project's: those of second factors,
 * of passkeys and of one-time tokens. Names are the hosted platform's, so that the same data and
 * SQL (migrations ask for factors and sessions) work on either. Applied after Lite's own part;
 * repeating it is safe.
 */
export const AUTH_SCHEMA_SQL = `
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('factor_type', array['totp', 'webauthn', 'phone']),
      ('factor_status', array['unverified', 'verified']),
      ('one_time_token_type', array[
        'confirmation_token', 'reauthentication_token', 'recovery_token',
        'email_change_token_new', 'email_change_token_current', 'phone_change_token'
      ])
    ) as type (name, labels)
  loop
    if to_regtype('auth.' || wanted.name) is null then
      execute format(
        'create type auth.%I as enum (%s)', wanted.name,
        (select string_agg(quote_literal(label), ', ') from unnest(wanted.labels) label)
      );
    end if;
  end loop;
end;
$$;

create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  secret text,
  phone text,
  last_challenged_at timestamptz unique,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_webauthn_challenge_data jsonb
);
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create index if not exists factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create unique index if not exists mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
create unique index if not exists unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);
comment on table auth.mfa_factors is 'Second factors of users.';

create table if not exists auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null,
  verified_at timestamptz,
  ip_address inet not null,
  otp_code text,
  web_authn_session_data jsonb
);
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index if not exists mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);
comment on table auth.mfa_challenges is 'Questions put to second factors, answered once.';

create table if not exists auth.webauthn_credentials (
  id uuid not null default gen_random_uuid() constraint webauthn_credentials_pkey primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index if not exists webauthn_credentials_credential_id_key
  on auth.webauthn_credentials (credential_id);
create index if not exists webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);
comment on table auth.webauthn_credentials is 'Passkeys that sign users in.';

create table if not exists auth.webauthn_challenges (
  id uuid not null default gen_random_uuid() constraint webauthn_challenges_pkey primary key,
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index if not exists webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
comment on table auth.webauthn_challenges is
  'Questions put to devices that make a passkey or sign in with one; an answer takes its question away.';

create table if not exists auth.mfa_amr_claims (
  id uuid not null constraint amr_id_pk primary key,
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  constraint mfa_amr_claims_session_id_authentication_method_pkey
    unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'How the user of a session proved who they are, and when.';

create table if not exists auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp without time zone not null default now(),
  updated_at timestamp without time zone not null default now()
);
create index if not exists one_time_tokens_token_hash_hash_idx
  on auth.one_time_tokens using hash (token_hash);
create index if not exists one_time_tokens_relates_to_hash_idx
  on auth.one_time_tokens using hash (relates_to);
create unique index if not exists one_time_tokens_user_id_token_type_key
  on auth.one_time_tokens (user_id, token_type);
comment on table auth.one_time_tokens is 'Links and codes that were sent and not used: hashes only.';

create index if not exists user_id_created_at_idx on auth.sessions (user_id, created_at);

-- Supabase Lite's own service wrote metadata as texts of JSON; they are objects on a hosted project, and here.
update auth.users set raw_user_meta_data = (raw_user_meta_data #>> '{}')::jsonb
where jsonb_typeof(raw_user_meta_data) = 'string';
update auth.users set raw_app_meta_data = (raw_app_meta_data #>> '{}')::jsonb
where jsonb_typeof(raw_app_meta_data) = 'string';
update auth.identities set identity_data = (identity_data #>> '{}')::jsonb
where jsonb_typeof(identity_data) = 'string';
`;
