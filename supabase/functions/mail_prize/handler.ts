import { mailPrizeRequest } from "../_shared/domain/schemas/prize.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse, secondsUntil } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

type MailRow = {
  outcome:
    | "sent"
    | "repeated"
    | "email_needed"
    | "prize_not_found"
    | "code_used"
    | "code_expired"
    | "code_held"
    | "too_many_attempts";
  recipient: string | null;
  retry_at: Date | null;
};

/**
 * `POST mail_prize { campaign_id, spin_id, nonce, email? }`: sends a prize to its winner. The address is the one
 * that was given for the turn; `email` counts only where none was.
 */
export const handler = serve(
  { name: "mail_prize", method: "POST", failure: "internal_error" },
  async (request, { sql, now, keyedHash, clientAddress }) => {
    const parsed = await parseBody(request, mailPrizeRequest);
    if (!parsed.ok) return parsed.response;
    const { campaign_id, spin_id, nonce, email } = parsed.body;
    const address = keyedHash("address", clientAddress(request));
    const [row] = await sql<MailRow[]>`
      select * from public.mail_prize(${campaign_id}, ${spin_id}, ${nonce}, ${email ?? null}, ${address})`;
    if (!row) return refuse("internal_error");
    switch (row.outcome) {
      case "sent":
      case "repeated":
        return json({ sent_to: row.recipient });
      case "too_many_attempts":
        return refuse("too_many_attempts", { retryAfter: secondsUntil(row.retry_at, now()) });
      default:
        return refuse(row.outcome);
    }
  },
);
