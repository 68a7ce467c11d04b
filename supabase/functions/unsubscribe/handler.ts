import { unsubscribeRequest } from "../_shared/domain/schemas/unsubscribe-request.ts";
import type { Handler } from "../_shared/http/deps.ts";
import { json, redirect, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `POST unsubscribe?token=…&kind=alert|summary|report`: ends what a mail was about, without a session. Mail
 * programs call it on one click (RFC 8058), with a form as body; the page of the link calls it as well.
 */
const end = serve(
  { name: "unsubscribe", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const { searchParams } = new URL(request.url);
    const parsed = unsubscribeRequest.safeParse(Object.fromEntries(searchParams));
    if (!parsed.success) return refuse("invalid_request");
    const { token, kind } = parsed.data;
    // Somebody who left the team has nothing left to end: that is as good as done.
    await sql`select public.unsubscribe(${token}, ${kind})`;
    return json({ success: true });
  },
);

/** Ends what a mail was about, or leads whoever opens the same address in a browser (RFC 2369) to the page that asks first. */
export const handler: Handler = async (request, deps) => {
  if (request.method !== "GET") return end(request, deps);
  const parsed = unsubscribeRequest.safeParse(
    Object.fromEntries(new URL(request.url).searchParams),
  );
  const query = parsed.success ? `?${new URLSearchParams(parsed.data)}` : "";
  return redirect(`${deps.siteUrl ?? ""}/unsubscribe${query}`);
};
