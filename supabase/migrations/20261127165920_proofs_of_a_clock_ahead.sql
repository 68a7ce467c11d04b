-- Why: a proof that was dated while the clock was ahead counted until that time came again, and an account can be deleted by it.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.fresh_proof()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select bool_or(
    -- Nobody found an account open that is hardly made.
    u.created_at > now() - interval '1 day'
    or not exists (
      select 1 from private.account_events e
      where e.user_id = u.id and e.created_at > now() - interval '1 day'
        and e.event = case
          when private.is_second_factor(c.authentication_method) then 'factor_added'
          when c.authentication_method = 'password' then 'password_changed'
          when c.authentication_method = 'passkey' then 'passkey_added'
          when c.authentication_method in ('oauth', 'sso/saml', 'web3') then 'identity_added'
          -- All others are codes and links that were sent.
          else 'contact_changed'
        end))
  from private.my_session() s
  join auth.users u on u.id = s.user_id
  join auth.mfa_amr_claims c on c.session_id = s.id
  -- One that a clock ahead has dated counts no longer than others.
  where c.updated_at between now() - interval '10 minutes' and now() + interval '10 minutes'
    and case
      when exists (select 1 from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')
        then private.is_second_factor(c.authentication_method)
      else not private.is_second_factor(c.authentication_method)
        and c.authentication_method not in ('token_refresh', 'anonymous')
    end;
$function$;
