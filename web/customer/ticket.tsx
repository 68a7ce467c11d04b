import type { SpinResult } from "#domain/journey.ts";
import { CodeQr } from "./code-qr.tsx";
import { CopyButton } from "./copy-button.tsx";
import { endInWords } from "./dates.ts";
import { ticketCopy } from "./ticket.copy.ts";

type TicketProps = {
  result: SpinResult;
  store: string;
  /** A draw of the test mode: the code opens nothing. */
  isTest: boolean;
};

/** The win as a ticket: what it is above the tear line, its code below. */
export function Ticket({ result, store, isTest }: TicketProps) {
  const { reward, redemption_code: code, expires_at } = result;
  return (
    <article className="relative isolate rounded-card bg-surface text-center shadow-card ring-1 ring-line">
      <div className="px-6 pt-6 pb-5">
        {isTest && (
          <p className="mb-2 inline-block rounded-full bg-sun-soft px-3 py-0.5 text-sm font-bold text-sun-ink">
            {ticketCopy.test}
          </p>
        )}
        <p className="text-[1.75rem] leading-tight font-extrabold tracking-tight text-balance">
          {reward?.name}
        </p>
        {expires_at !== null && (
          <p className="mt-1 text-base text-muted">
            {ticketCopy.until(endInWords(new Date(expires_at), new Date()))}
          </p>
        )}
      </div>
      {code !== null && (
        <>
          <div className="relative border-t-2 border-dashed border-line" aria-hidden="true">
            <span className="absolute -top-3 -left-3 size-6 rounded-full bg-paper" />
            <span className="absolute -top-3 -right-3 size-6 rounded-full bg-paper" />
          </div>
          <div className="grid justify-items-center gap-3 px-5 pt-5 pb-6">
            <p className="text-base">{isTest ? ticketCopy.testCode : ticketCopy.show(store)}</p>
            <CodeQr code={code} />
            <p>
              <span className="sr-only">{ticketCopy.code} </span>
              <code
                className="font-mono text-[clamp(1.25rem,7vw,1.75rem)] leading-tight font-bold tracking-[0.12em] break-all select-all"
                data-code
              >
                {code}
              </code>
            </p>
            <CopyButton text={code} />
          </div>
        </>
      )}
    </article>
  );
}
