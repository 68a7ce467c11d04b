-- Why: codes that wait were announced with a day, too. They last to the end of it; what the till has refused for good, and
-- what was used, stays as it is.

update public.redemptions r
set expires_at = private.day_end((r.expires_at at time zone s.timezone)::date, s.timezone)
from public.stores s
where s.org_id = r.org_id and s.id = r.store_id and r.status = 'available' and r.expires_at is not null;
