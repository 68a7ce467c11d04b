-- Why: what customers do is evidence (of consent, of a win, of a code used), so members read it and
-- nobody writes it but the functions of the journey. Rows reference (org_id, id) pairs, so that none can
-- point into another tenant. Event tables reference the campaign, which references the organisation:
-- a foreign key of their own to organizations would cost a check a row and add nothing. Primary keys start
-- with org_id, so that one index serves the key, the references and the policies, and the tables can be
-- distributed by tenant as they are.

create table public.customers (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  store_id uuid,
  first_name text check (length(first_name) <= 120),
  last_name text check (length(last_name) <= 120),
  name text not null check (btrim(name) <> '' and length(name) <= 250),
  email text check (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$' and length(email) <= 254),
  phone text check (
    phone ~ '^[0-9\s+()-]+$' and phone ~ '[0-9]' and length(phone) <= 32 and length(regexp_replace(phone, '\s', '', 'g')) >= 10
  ),
  email_normalized text generated always as (private.normalize_email(email)) stored,
  phone_normalized text generated always as (private.normalize_phone(phone)) stored,
  consent_marketing boolean not null default false,
  consent_at timestamptz,
  locale text not null default 'fr' check (locale ~ '^[a-z]{2}(-[A-Z]{2})?$'),
  last_activity_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete set null (store_id),
  check (email is not null or phone is not null),
  check (consent_marketing = (consent_at is not null))
) with (fillfactor = 85);
create unique index customers_org_id_email_key on public.customers (org_id, email_normalized)
  where email_normalized is not null;
create unique index customers_org_id_phone_key on public.customers (org_id, phone_normalized)
  where phone_normalized is not null;
create index customers_org_id_created_at_idx on public.customers (org_id, created_at desc);
create index customers_org_id_store_id_idx on public.customers (org_id, store_id);
comment on table public.customers is
  'A person who took part, known to one organisation by e-mail or phone (specification, section 3).';
comment on column public.customers.id is 'Identifier.';
comment on column public.customers.org_id is 'Organisation.';
comment on column public.customers.store_id is 'Store of the first visit.';
comment on column public.customers.first_name is 'First name, as given on the first visit.';
comment on column public.customers.last_name is 'Last name, as given on the first visit.';
comment on column public.customers.name is 'Full name.';
comment on column public.customers.email is 'E-mail address as typed.';
comment on column public.customers.phone is 'Phone number as typed.';
comment on column public.customers.email_normalized is 'Mailbox, unique within the organisation: who this is.';
comment on column public.customers.phone_normalized is 'Number, unique within the organisation: who this is.';
comment on column public.customers.consent_marketing is 'Whether marketing is allowed; given by ticking a box, never withdrawn by leaving it blank.';
comment on column public.customers.consent_at is 'When consent was given; null without consent.';
comment on column public.customers.locale is 'Language, fr by default.';
comment on column public.customers.last_activity_at is 'Last review, spin or redemption.';
comment on column public.customers.created_at is 'First visit.';

create function private.stamp_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not new.consent_marketing then
    new.consent_at := null;
  elsif tg_op = 'INSERT' or not old.consent_marketing then
    new.consent_at := now();
  end if;
  return new;
end;
$$;
comment on function private.stamp_consent() is 'Dates a consent when it is given and forgets the date when it is withdrawn.';
create trigger stamp_consent_on_insert before insert on public.customers
  for each row when (new.consent_marketing or new.consent_at is not null)
  execute function private.stamp_consent();
create trigger stamp_consent_on_update before update of consent_marketing on public.customers
  for each row when (new.consent_marketing is distinct from old.consent_marketing)
  execute function private.stamp_consent();

create table public.scan_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  source text not null default 'qr' check (source ~ '^[a-z0-9_-]{1,32}$'),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index scan_events_org_campaign_idx on public.scan_events (org_id, campaign_id, created_at desc);
create index scan_events_org_store_idx on public.scan_events (org_id, store_id);
comment on table public.scan_events is 'A visit through a printed QR code or a link (specification, section 3).';
comment on column public.scan_events.id is 'Identifier.';
comment on column public.scan_events.org_id is 'Organisation.';
comment on column public.scan_events.campaign_id is 'Campaign.';
comment on column public.scan_events.store_id is 'Store of the campaign at the time.';
comment on column public.scan_events.source is 'qr, or the word of the link.';
comment on column public.scan_events.created_at is 'When.';

create table public.pre_spin_reviews (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  end_user_id uuid generated always as (customer_id) stored,
  visit_id uuid not null,
  customer_name text,
  customer_email text,
  customer_phone text,
  end_user_email text generated always as (customer_email) stored,
  rating smallint not null check (rating between 1 and 5),
  review_text text check (length(btrim(review_text)) >= 20 and length(review_text) <= 4000),
  consent_marketing boolean not null default false,
  source text not null default 'qr' check (source ~ '^[a-z0-9_-]{1,32}$'),
  public_click_at timestamptz,
  submitted_at timestamptz not null default now(),
  feedback_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, campaign_id, visit_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id)
);
-- Who holds the identifier of a review acts on it without naming the organisation.
create index pre_spin_reviews_id_idx on public.pre_spin_reviews (id);
create index pre_spin_reviews_org_created_idx on public.pre_spin_reviews (org_id, created_at desc);
create index pre_spin_reviews_org_campaign_idx on public.pre_spin_reviews (org_id, campaign_id, created_at desc);
create index pre_spin_reviews_org_customer_idx on public.pre_spin_reviews (org_id, customer_id, created_at desc);
create index pre_spin_reviews_org_store_idx on public.pre_spin_reviews (org_id, store_id);
comment on table public.pre_spin_reviews is 'A rating of a visit, with private feedback (specification, section 3).';
comment on column public.pre_spin_reviews.id is 'Identifier; who holds it may add the feedback and play once.';
comment on column public.pre_spin_reviews.org_id is 'Organisation.';
comment on column public.pre_spin_reviews.campaign_id is 'Campaign.';
comment on column public.pre_spin_reviews.store_id is 'Store of the campaign at the time.';
comment on column public.pre_spin_reviews.customer_id is 'Who; null once the customer is erased.';
comment on column public.pre_spin_reviews.end_user_id is 'The same, under the name of the specification.';
comment on column public.pre_spin_reviews.visit_id is 'Made by the page once a journey: a repeat finds the first review.';
comment on column public.pre_spin_reviews.customer_name is 'Name at the time.';
comment on column public.pre_spin_reviews.customer_email is 'E-mail at the time.';
comment on column public.pre_spin_reviews.customer_phone is 'Phone at the time.';
comment on column public.pre_spin_reviews.end_user_email is 'The e-mail again, under the other name of the specification.';
comment on column public.pre_spin_reviews.rating is 'Stars, 1 to 5.';
comment on column public.pre_spin_reviews.review_text is 'Private feedback, 20 to 4000 characters; null when none was left.';
comment on column public.pre_spin_reviews.consent_marketing is 'Whether the box was ticked on this visit.';
comment on column public.pre_spin_reviews.source is 'How the visit began.';
comment on column public.pre_spin_reviews.public_click_at is 'When the public reviews page was first opened from this visit.';
comment on column public.pre_spin_reviews.submitted_at is 'When the star was clicked.';
comment on column public.pre_spin_reviews.feedback_at is 'When the feedback was sent.';
comment on column public.pre_spin_reviews.created_at is 'When the row was written.';

create table public.spins (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  review_id uuid,
  play_id uuid,
  segment_id uuid not null,
  reward_id uuid,
  end_user_email text,
  end_user_name text,
  result_type text not null check (result_type in ('reward', 'lose')),
  nonce uuid not null,
  rules_version integer not null,
  result json not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  foreign key (org_id, review_id) references public.pre_spin_reviews (org_id, id) on delete set null (review_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  check ((result_type = 'reward') = (reward_id is not null))
);
create unique index spins_review_key on public.spins (org_id, review_id) where review_id is not null;
create unique index spins_play_key on public.spins (org_id, campaign_id, play_id) where play_id is not null;
create index spins_org_campaign_idx on public.spins (org_id, campaign_id, created_at desc);
create index spins_org_customer_idx on public.spins (org_id, customer_id, created_at desc);
create index spins_org_reward_idx on public.spins (org_id, reward_id) where reward_id is not null;
create index spins_org_created_idx on public.spins (org_id, created_at desc);
create index spins_org_store_idx on public.spins (org_id, store_id);
comment on table public.spins is 'A turn of the wheel, drawn by the server (specification, section 3).';
comment on column public.spins.id is 'Identifier.';
comment on column public.spins.org_id is 'Organisation.';
comment on column public.spins.campaign_id is 'Campaign.';
comment on column public.spins.store_id is 'Store of the campaign at the time.';
comment on column public.spins.customer_id is 'Who played; null once the customer is erased.';
comment on column public.spins.review_id is 'Review that gave the turn: one turn a review.';
comment on column public.spins.play_id is 'Key of a turn without a review, made by the page: one turn a key.';
comment on column public.spins.segment_id is 'Slice that was drawn. No foreign key: wheels are redrawn, history stays.';
comment on column public.spins.reward_id is 'Reward won; null for a loss.';
comment on column public.spins.end_user_email is 'E-mail at the time.';
comment on column public.spins.end_user_name is 'Name at the time.';
comment on column public.spins.result_type is 'reward (a win) or lose.';
comment on column public.spins.nonce is 'Random identifier of the draw, for its audit.';
comment on column public.spins.rules_version is 'Version of the rules that it was played under.';
comment on column public.spins.result is 'The answer that was given, letter for letter: a repeated call gets it again.';
comment on column public.spins.created_at is 'When.';

create table public.redemptions (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  reward_id uuid not null,
  spin_id uuid not null,
  customer_id uuid,
  code text not null check (length(code) between 4 and 64),
  code_key text generated always as (upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g'))) stored,
  status text not null default 'available' check (status in ('available', 'used', 'expired')),
  reward_name text not null,
  end_user_email text,
  end_user_name text,
  expires_at timestamptz,
  used_at timestamptz,
  used_by uuid references auth.users (id) on delete set null,
  used_store_id uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, used_store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  -- Checked at the end of the transaction: the code is drawn before the turn that it belongs to is written.
  foreign key (org_id, spin_id) references public.spins (org_id, id) deferrable initially deferred,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  check ((status = 'used') = (used_at is not null)),
  check (used_at is not null or (used_by is null and used_store_id is null))
) with (fillfactor = 85);
create unique index redemptions_org_code_key on public.redemptions (org_id, code_key);
create index redemptions_org_campaign_idx on public.redemptions (org_id, campaign_id, created_at desc);
create index redemptions_org_reward_idx on public.redemptions (org_id, reward_id, created_at desc);
create index redemptions_org_customer_idx on public.redemptions (org_id, customer_id, created_at desc);
create index redemptions_org_created_idx on public.redemptions (org_id, created_at desc);
create index redemptions_org_store_idx on public.redemptions (org_id, store_id);
create index redemptions_org_used_store_idx on public.redemptions (org_id, used_store_id) where used_store_id is not null;
create index redemptions_used_by_idx on public.redemptions (used_by) where used_by is not null;
create index redemptions_expiry_idx on public.redemptions (expires_at) where status = 'available';
comment on table public.redemptions is 'A code that was won, and its use at the till (specification, section 3).';
comment on column public.redemptions.id is 'Identifier.';
comment on column public.redemptions.org_id is 'Organisation.';
comment on column public.redemptions.campaign_id is 'Campaign.';
comment on column public.redemptions.store_id is 'Store where the code is valid.';
comment on column public.redemptions.reward_id is 'Reward.';
comment on column public.redemptions.spin_id is 'Turn that won it; one code a turn.';
comment on column public.redemptions.customer_id is 'Who won; null once the customer is erased.';
comment on column public.redemptions.code is 'Code as printed on the ticket.';
comment on column public.redemptions.code_key is 'The code without case, spaces and signs, unique within the organisation: what the till looks for.';
comment on column public.redemptions.status is 'available, used (by staff) or expired (by time).';
comment on column public.redemptions.reward_name is 'Name of the reward at the time.';
comment on column public.redemptions.end_user_email is 'E-mail at the time.';
comment on column public.redemptions.end_user_name is 'Name at the time.';
comment on column public.redemptions.expires_at is 'Last instant; from the reward''s validity days, 30 by default.';
comment on column public.redemptions.used_at is 'When it was used.';
comment on column public.redemptions.used_by is 'Staff member who used it; null once that account is gone.';
comment on column public.redemptions.used_store_id is 'Store where it was used.';
comment on column public.redemptions.created_at is 'When it was won.';

create function private.check_redemption_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (old.status = 'available' and new.status = 'used')
    or (old.status = 'available' and new.status = 'expired' and old.expires_at <= now())
    or (old.status = 'used' and new.status = 'available' and old.used_at > now() - interval '10 minutes')
  then
    return new;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$$;
comment on function private.check_redemption_status() is
  'A code goes from available to used (staff) or expired (time), and back from used within 10 minutes; '
  'nothing else. Error 23514, constraint redemptions_status_transition.';
create trigger check_redemption_status before update of status on public.redemptions
  for each row when (old.status is distinct from new.status)
  execute function private.check_redemption_status();

create table public.redemption_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  redemption_id uuid not null,
  action text not null check (action in ('used', 'restored', 'expired')),
  user_id uuid references auth.users (id) on delete set null,
  store_id uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete cascade,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index redemption_events_redemption_idx on public.redemption_events (org_id, redemption_id, created_at);
create index redemption_events_user_idx on public.redemption_events (user_id) where user_id is not null;
create index redemption_events_store_idx on public.redemption_events (org_id, store_id) where store_id is not null;
comment on table public.redemption_events is 'Who used a code, or gave it back, and when: the trace that a dispute asks for.';
comment on column public.redemption_events.id is 'Identifier.';
comment on column public.redemption_events.org_id is 'Organisation.';
comment on column public.redemption_events.redemption_id is 'Code.';
comment on column public.redemption_events.action is 'used, restored (undone by staff) or expired (by time).';
comment on column public.redemption_events.user_id is 'Staff member; null for time, or once that account is gone.';
comment on column public.redemption_events.store_id is 'Store of the till.';
comment on column public.redemption_events.created_at is 'When.';

create table public.points_ledger (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  customer_id uuid not null,
  spin_id uuid,
  reward_id uuid,
  points integer not null check (points <> 0),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete cascade,
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict
);
create index points_ledger_customer_idx on public.points_ledger (org_id, customer_id, created_at desc);
create index points_ledger_reward_idx on public.points_ledger (org_id, reward_id);
comment on table public.points_ledger is
  'Points credited to customers; the balance is the sum. Points rewards are credited automatically and need no code (specification, section 5).';
comment on column public.points_ledger.id is 'Identifier.';
comment on column public.points_ledger.org_id is 'Organisation.';
comment on column public.points_ledger.customer_id is 'Customer.';
comment on column public.points_ledger.spin_id is 'Turn that won them; one entry a turn.';
comment on column public.points_ledger.reward_id is 'Reward.';
comment on column public.points_ledger.points is 'Points added (or taken when negative).';
comment on column public.points_ledger.created_at is 'When.';

-- Security: members read, nobody writes (customers apart) --------------------------------------

alter table public.customers enable row level security;
alter table public.scan_events enable row level security;
alter table public.pre_spin_reviews enable row level security;
alter table public.spins enable row level security;
alter table public.redemptions enable row level security;
alter table public.redemption_events enable row level security;
alter table public.points_ledger enable row level security;

grant select on public.customers, public.scan_events, public.pre_spin_reviews, public.spins,
  public.redemptions, public.redemption_events, public.points_ledger to authenticated;
grant insert (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, locale),
  update (store_id, first_name, last_name, name, email, phone, consent_marketing, locale)
  on public.customers to authenticated;
grant select, insert, update, delete on public.customers, public.scan_events, public.pre_spin_reviews,
  public.spins, public.redemptions, public.redemption_events, public.points_ledger to service_role;

create policy "Members read the customers" on public.customers
  for select to authenticated using (org_id = any (array(select private.my_org_ids('customers.read'))));
create policy "Members add customers" on public.customers
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('customers.write'))));
create policy "Members change customers" on public.customers
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('customers.write'))))
  with check (org_id = any (array(select private.my_org_ids('customers.write'))));

create policy "Members read the scans" on public.scan_events
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the reviews" on public.pre_spin_reviews
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the spins" on public.spins
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the codes" on public.redemptions
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the trace of codes" on public.redemption_events
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the points" on public.points_ledger
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
