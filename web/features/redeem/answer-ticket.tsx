import { formatDay } from "../../lib/format.ts";
import { Ticket } from "../../ui/ticket.tsx";
import type { Answer } from "./answer.ts";
import { redeemCopy } from "./redeem.copy.ts";

const copy = redeemCopy.ticket;

/** The prize as a ticket: what it is, whose it is, until when. */
export function AnswerTicket({ answer, now }: { answer: Answer; now: Date }) {
  const { reward, customer, code, expiresAt, state } = answer;
  return (
    <Ticket
      className="animate-rise dark:text-ink"
      stub={
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-base min-[380px]:text-lg">
          <dt className="text-muted">{copy.code}</dt>
          <dd className="text-right font-semibold tracking-wider wrap-anywhere uppercase">
            {code}
          </dd>
          {state === "available" && (
            <>
              <dt className="text-muted">{copy.validity}</dt>
              <dd className="text-right font-semibold text-balance">
                {expiresAt ? copy.validUntil(formatDay(expiresAt, now)) : copy.validForever}
              </dd>
            </>
          )}
        </dl>
      }
    >
      <p className="text-center font-display text-2xl font-bold text-balance break-words">
        {reward}
      </p>
      <p className="mt-2 text-center text-xl break-words">
        <span className="sr-only">{copy.customer} : </span>
        {customer ?? copy.anonymous}
      </p>
    </Ticket>
  );
}
