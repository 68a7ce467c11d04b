import { unsubscribeRequest } from "../_shared/domain/schemas/unsubscribe-request.ts";
import type { Deps, Handler } from "../_shared/http/deps.ts";
import { json, redirect, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type WithdrawnRow = {
  outcome: "withdrawn" | "link_unknown" | "too_many_attempts";
  retry_after: number | null;
};

/**
 * `POST unsubscribe?token=…&kind=alert|summary|report|offers`: ends what a mail was about, without a session. Of
 * a member's mails, mail programs call it on one click (RFC 8058), with a form as body; `offers` withdraws a
 * customer's consent. The page of the link calls it for all of them.
 */
const end = serve(
  { name: "unsubscribe", method: "POST", failure: "internal_error" },
  async (request, deps) => {
    const { searchParams } = new URL(request.url);
    const parsed = unsubscribeRequest.safeParse(Object.fromEntries(searchParams));
    if (!parsed.success) return refuse("invalid_request");
    const { token, kind } = parsed.data;
    if (kind === "offers") return withdrawConsent(token, request, deps);
    // Somebody who left the team has nothing left to end: that is as good as done.
    await deps.sql`select public.unsubscribe(${token}, ${kind})`;
    return json({ success: true });
  },
);

async function withdrawConsent(
  token: string,
  request: Request,
  { sql, keyedHash, clientAddress }: Pick<Deps, "sql" | "keyedHash" | "clientAddress">,
): Promise<Response> {
  const address = keyedHash("address", clientAddress(request));
  const [row] = await sql<WithdrawnRow[]>`
    select * from public.withdraw_own_consent(${token}, ${address})`;
  switch (row?.outcome) {
    case "withdrawn":
      return json({ success: true });
    case "too_many_attempts":
      return refuse(row.outcome, { retryAfter: row.retry_after ?? 60 });
    default:
      // A link that lost a letter must not read as done.
      return refuse(row?.outcome ?? "internal_error");
  }
}

/** Ends what a mail was about, or leads whoever opens the same address in a browser (RFC 2369) to the page that asks first. */
export const handler: Handler = async (request, deps) => {
  // Scanners of mails ask for the head first, and take a refusal for a broken link.
  if (request.method !== "GET" && request.method !== "HEAD") return end(request, deps);
  const parsed = unsubscribeRequest.safeParse(
    Object.fromEntries(new URL(request.url).searchParams),
  );
  const query = parsed.success ? `?${new URLSearchParams(parsed.data)}` : "";
  return redirect(`${deps.siteUrl ?? ""}/unsubscribe${query}`);
};
