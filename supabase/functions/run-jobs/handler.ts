import type { Deps, Handler } from "../_shared/http/deps.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { isSameText } from "../_shared/http/same-text.ts";
import { serve } from "../_shared/http/serve.ts";
import { type Deliveries, deliverDue } from "../_shared/messages/delivery.ts";

/** Dependencies of this function beside those that all have. */
export type Work = {
  /** Secret that the caller shows in `x-jobs-secret`. */
  secret: string;
  deliveries: Deliveries;
};

/** Ends well before the platform ends a function that takes too long; the next call goes on. */
const MAX_RUN_MS = 50_000;

/**
 * `POST run-jobs` with `x-jobs-secret` → `{ delivered }`: does what the database has written down and cannot do itself
 * (mails, text messages, work at the payment provider, files to remove). On a Supabase project `pg_cron` calls it
 * (`private.call_worker`); our own server has `server/jobs` instead.
 */
export function createHandler(openWork: (deps: Deps) => Work): Handler {
  let work: Work | undefined;
  return serve(
    { name: "run-jobs", method: "POST", failure: "internal_error" },
    async (request, deps) => {
      work ??= openWork(deps);
      const given = request.headers.get("x-jobs-secret") ?? "";
      if (!isSameText(given, work.secret)) return refuse("unauthenticated");
      const end = performance.now() + MAX_RUN_MS;
      const delivered = await deliverDue({
        sql: deps.sql,
        deliveries: work.deliveries,
        log: deps.log,
        isStopping: () => performance.now() > end,
      });
      return json({ delivered });
    },
  );
}
