import type { Deps, Handler } from "../_shared/http/deps.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { isSameText } from "../_shared/http/same-text.ts";
import { serve } from "../_shared/http/serve.ts";
import { type Deliveries, type Delivery, deliverDue } from "../_shared/messages/delivery.ts";

/** Dependencies of this function beside those that all have. */
export type Work = {
  /** Secret that the caller shows in `x-jobs-secret`. */
  secret: string;
  deliveries: Deliveries;
  /** Whether the platform is about to end this instance. */
  isEnding?: () => boolean;
};

/** Ends well before the platform ends a function that takes too long; the next call goes on. */
const MAX_RUN_MS = 50_000;

/**
 * Work of one run, in mails of 10 ms of processor. The platform ends an instance after 2 s in all, and what is on its way by then
 * goes out twice.
 */
const MAX_WORK = 50;

/** Work of a mail with a PDF, in mails. */
const REPORT_WORK = 5;

function workOf({ template }: Parameters<Delivery>[0]): number {
  return template === "monthly_report" ? REPORT_WORK : 1;
}

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
      const { deliveries, isEnding } = work;
      let done = 0;
      const counted =
        (deliver: Delivery): Delivery =>
        (message) => {
          done += workOf(message);
          return deliver(message);
        };
      const delivered = await deliverDue({
        sql: deps.sql,
        deliveries: {
          mail: counted(deliveries.mail),
          sms: counted(deliveries.sms),
          push: counted(deliveries.push),
          payment: counted(deliveries.payment),
          file: counted(deliveries.file),
        },
        log: deps.log,
        isStopping: () => done >= MAX_WORK || performance.now() > end || isEnding?.() === true,
      });
      return json({ delivered });
    },
  );
}
