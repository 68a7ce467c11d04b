-- Why: a campaign's dates took « infinity » and the year 20266, which no page can read: the customers' pages of the whole
-- organisation went down with it.

-- As near as can be to what was meant; who wrote it sees it in the editor.
update public.campaigns c
-- No date stays none.
set starts_at = case when c.starts_at is not null then
    least(greatest(c.starts_at, '1000-01-01 00:00Z'), '9999-12-30 00:00Z') end,
  ends_at = case when c.ends_at is not null then
    least(greatest(c.ends_at, '1000-01-01 00:00Z'), '9999-12-30 00:00Z') end
where c.starts_at < '1000-01-01 00:00Z' or c.starts_at >= '9999-12-31 00:00Z'
  or c.ends_at < '1000-01-01 00:00Z' or c.ends_at >= '9999-12-31 00:00Z';
-- The table cannot be altered while triggers wait for the end of the transaction.
set constraints all immediate;

-- Four digits by the clock of any place: somewhere the year 10000 begins while it is still the last day here.
alter table public.campaigns
  add constraint campaigns_start_date_check check (
    starts_at >= '1000-01-01 00:00Z' and starts_at < '9999-12-31 00:00Z'
  ),
  add constraint campaigns_end_date_check check (
    ends_at >= '1000-01-01 00:00Z' and ends_at < '9999-12-31 00:00Z'
  );
