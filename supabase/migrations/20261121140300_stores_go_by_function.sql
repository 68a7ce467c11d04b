-- Why: figures hold on to no store by reference, so a store that all its campaigns had left could be deleted through the data
-- API, with its figures orphaned; `remove_store` looks at everything that hangs on it first. Now it is the only way.

revoke delete on public.stores from authenticated;
drop policy "Owners and admins delete stores" on public.stores;
