import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_BODY_BYTES } from "#domain/rules/constants.ts";
import type { Deps, Handler } from "../../supabase/functions/_shared/http/deps.ts";
import { refuse } from "../../supabase/functions/_shared/http/respond.ts";
import { handler as apiToken } from "../../supabase/functions/api-token/handler.ts";
import { handler as billingPortal } from "../../supabase/functions/billing-portal/handler.ts";
import { handler as brandLogo } from "../../supabase/functions/brand_logo/handler.ts";
import { handler as campaign } from "../../supabase/functions/campaign/handler.ts";
import { handler as campaignRules } from "../../supabase/functions/campaign_rules/handler.ts";
import { handler as checkout } from "../../supabase/functions/checkout/handler.ts";
import { handler as consent } from "../../supabase/functions/consent/handler.ts";
import { handler as contact } from "../../supabase/functions/contact/handler.ts";
import { handler as createTestCustomer } from "../../supabase/functions/create-test-customer/handler.ts";
import { handler as exportOrganization } from "../../supabase/functions/export-organization/handler.ts";
import { handler as exportsCsv } from "../../supabase/functions/exports-csv/handler.ts";
import { handler as invitation } from "../../supabase/functions/invitation/handler.ts";
import { handler as mailPrize } from "../../supabase/functions/mail_prize/handler.ts";
import { handler as monthlyReport } from "../../supabase/functions/monthly-report/handler.ts";
import { handler as pointsWallet } from "../../supabase/functions/points_wallet/handler.ts";
import { handler as presence } from "../../supabase/functions/presence/handler.ts";
import { handler as prizeStatus } from "../../supabase/functions/prize_status/handler.ts";
import { handler as publicReviewClick } from "../../supabase/functions/public_review_click/handler.ts";
import { handler as publicRating } from "../../supabase/functions/public-rating/handler.ts";
import { handler as redeem } from "../../supabase/functions/redeem/handler.ts";
import { handler as reviewRecord } from "../../supabase/functions/review_record/handler.ts";
import { handler as scan } from "../../supabase/functions/scan/handler.ts";
import { handler as spendPoints } from "../../supabase/functions/spend_points/handler.ts";
import { handler as spinWheel } from "../../supabase/functions/spin_wheel/handler.ts";
import { handler as status } from "../../supabase/functions/status/handler.ts";
import { handler as stripeWebhook } from "../../supabase/functions/stripe-webhook/handler.ts";
import { handler as unsubscribe } from "../../supabase/functions/unsubscribe/handler.ts";
import { handler as updateSubscription } from "../../supabase/functions/update-subscription/handler.ts";
import { sendUnread } from "./send.ts";

const PREFIX = "/functions/v1/";

const handlers: ReadonlyMap<string, Handler> = new Map([
  ["campaign", campaign],
  ["campaign_rules", campaignRules],
  ["scan", scan],
  ["review_record", reviewRecord],
  ["public_review_click", publicReviewClick],
  ["spin_wheel", spinWheel],
  ["presence", presence],
  ["prize_status", prizeStatus],
  ["mail_prize", mailPrize],
  ["points_wallet", pointsWallet],
  ["spend_points", spendPoints],
  ["redeem", redeem],
  ["api-token", apiToken],
  ["exports-csv", exportsCsv],
  ["monthly-report", monthlyReport],
  ["public-rating", publicRating],
  ["invitation", invitation],
  ["checkout", checkout],
  ["update-subscription", updateSubscription],
  ["billing-portal", billingPortal],
  ["create-test-customer", createTestCustomer],
  ["stripe-webhook", stripeWebhook],
  ["export-organization", exportOrganization],
  ["brand_logo", brandLogo],
  ["unsubscribe", unsubscribe],
  ["consent", consent],
  ["contact", contact],
  ["status", status],
]);

/** Route template of a server function's address, for the log and the metrics; null for other addresses. */
export function functionRoute(pathname: string): string | null {
  if (!pathname.startsWith(PREFIX)) return null;
  return handlers.has(pathname.slice(PREFIX.length)) ? pathname : `${PREFIX}:name`;
}

/** Answers a call of a server function. */
export function callFunction(
  request: Request,
  pathname: string,
  deps: Deps,
): Response | Promise<Response> {
  const handler = handlers.get(pathname.slice(PREFIX.length));
  return handler ? handler(request, deps) : refuse("not_found");
}

/**
 * Bounds a body before a handler holds it in memory. One that announces its size is
 * judged by that; one that does not is read here, up to the limit, and handed on as
 * `rawBody`, which the adapter of Hono takes. Answers whether the call may go on; if not, it is refused
 * in the words of whom it was for.
 */
export async function admitBody(
  incoming: IncomingMessage,
  response: ServerResponse,
  tooLarge: () => Response = () => refuse("body_too_large"),
): Promise<boolean> {
  if (!needsAdmission(incoming)) return true;
  if (incoming.headers["transfer-encoding"] !== undefined) {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      // The rest is `sendUnread`'s.
      for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) break;
        chunks.push(chunk);
      }
    } catch {
      // The client disconnected or timed out: no answer can be sent.
      return false;
    }
    if (size <= MAX_BODY_BYTES) {
      Object.assign(incoming, { rawBody: Buffer.concat(chunks) });
      return true;
    }
  }
  await sendUnread(response, tooLarge());
  return false;
}

/** Whether `admitBody` has to look: nearly never, and the hot path is spared a turn of the loop. */
export function needsAdmission({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES
  );
}
