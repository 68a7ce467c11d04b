import { contactTopics } from "../_shared/domain/schemas/contact-form.copy.ts";
import { contactRequest } from "../_shared/domain/schemas/contact-form.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type ContactRow = {
  outcome: "sent" | "repeated" | "too_many_attempts";
  retry_at: Date | null;
};

/** `POST contact`: a visitor's message to the operator's mailbox, where they gave one. An answer goes to the visitor. */
export const handler = serve(
  { name: "contact", method: "POST", failure: "internal_error" },
  async (request, { sql, now, keyedHash, clientAddress, contactAddress = null }) => {
    const parsed = await parseBody(request, contactRequest);
    if (!parsed.ok) return parsed.response;
    if (contactAddress === null) return refuse("contact_off");
    const { request_id, topic, name, email, message, website } = parsed.body;
    // A program learns nothing of having been found out.
    if (website !== "") return json({ success: true });
    const address = keyedHash("address", clientAddress(request));
    const [row] = await sql<ContactRow[]>`
      select * from public.contact_operator(${request_id}, ${contactAddress}, ${contactTopics[topic]}, ${name},
        ${email}, ${message}, ${address})`;
    if (!row) return refuse("internal_error");
    return row.outcome === "too_many_attempts"
      ? refuse("too_many_attempts", { retryAfter: secondsUntil(row.retry_at, now()) })
      : json({ success: true });
  },
);
