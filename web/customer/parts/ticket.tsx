import { Fragment, type ReactNode, useEffect, useState } from "react";
import { COPY_CONFIRMATION_MS } from "#domain/rules/constants.ts";
import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicPlace } from "#domain/schemas/public-page.ts";
import { copyText } from "../../ui/copy-text.ts";
import { PrizePicture } from "../../ui/prize-picture.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { legible } from "../../ui/wheel/wheel-geometry.ts";
import { endInWords } from "./dates.ts";
import { Icon } from "./icon.tsx";
import { ticketCopy } from "./ticket.copy.ts";

type TicketProps = {
  result: Pick<SpinResult, "redemption_code" | "expires_at" | "segment_color"> & {
    reward: { name: string } | null;
  };
  store: PublicPlace;
  picture: PrizeDrawing | undefined;
  /** A draw of the test mode: the code opens nothing. */
  isTest: boolean;
  /** Why the code opens nothing any more: it was used, or its time is over. */
  stamp?: string | null;
};

/** A code that may break after its hyphens: its random part stays in one piece. */
function inPieces(code: string): ReactNode {
  return code.split("-").map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place.
    <Fragment key={index}>
      {index > 0 && (
        <>
          -<wbr />
        </>
      )}
      {piece}
    </Fragment>
  ));
}

/** Letters of a code: on one line while they stay legible. A sign is 0.74 of its size wide, 7rem lie beside the line. */
function codeSize({ length }: string): string {
  return `clamp(1rem, min(7vw, (min(100vw, 30rem) - 7rem) / ${(length * 0.74).toFixed(1)}), 1.75rem)`;
}

/**
 * The win as a ticket, in the colour of its segment: what it is above the tear line, its code
 * below. Drawn in the browser only, where a colour may be set by script.
 */
export function Ticket({ result, store, picture, isTest, stamp = null }: TicketProps) {
  const { reward, redemption_code: code, expires_at, segment_color } = result;
  const ground = legible(segment_color);
  return (
    <article className="ticket text-center">
      <div
        className={`px-6 pt-7 pb-6 ${ground.isDark ? "text-ink" : "text-surface"} ${code === null ? "rounded-card" : "ticket-stub"}`}
        style={{ backgroundColor: ground.color }}
      >
        {isTest && (
          <p className="mb-2 inline-block rounded-full bg-surface px-3 py-0.5 text-sm font-bold text-ink">
            {ticketCopy.test}
          </p>
        )}
        {picture && <PrizePicture drawing={picture} className="mx-auto mb-2 size-14" />}
        <p className="text-2xl leading-tight font-bold tracking-tight text-balance">
          {reward?.name}
        </p>
      </div>
      {code !== null && stamp !== null && (
        <div className="ticket-body grid justify-items-center gap-3 bg-surface px-5 pt-6 pb-7 text-ink">
          <p className="rounded-field border-3 px-4 py-1.5 text-xl font-bold">{stamp}</p>
          <code className="font-mono text-lg line-through">{inPieces(code)}</code>
        </div>
      )}
      {code !== null && stamp === null && (
        <div className="ticket-body grid justify-items-center gap-3 bg-surface px-5 pt-5 pb-6 text-ink">
          <p className="text-base text-balance">
            {isTest ? ticketCopy.testCode : ticketCopy.show(store.name)}
          </p>
          <QrCode
            text={code}
            label={ticketCopy.qr(code)}
            className="aspect-square w-full max-w-56"
          />
          <p>
            <span className="sr-only">{ticketCopy.code} </span>
            <code
              className="font-mono leading-tight font-bold tracking-[0.12em] select-all"
              style={{ fontSize: codeSize(code) }}
            >
              {inPieces(code)}
            </code>
          </p>
          {expires_at !== null && (
            <p className="font-bold text-balance">
              {ticketCopy.until(endInWords(new Date(expires_at), new Date(), store.timezone))}
            </p>
          )}
          <CopyButton text={code} />
        </div>
      )}
    </article>
  );
}

/** Copies a code, and says so for two seconds. */
function CopyButton({ text }: { text: string }) {
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPY_CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <button
      type="button"
      onClick={async () => setIsCopied(await copyText(text))}
      className="flex min-h-12 w-full cursor-pointer items-center justify-center gap-2 rounded-field font-bold ring-2 ring-field transition-colors duration-150 ring-inset hover:ring-violet active:bg-violet-soft"
    >
      <Icon
        name={isCopied ? "check" : "copy"}
        className={isCopied ? "size-5 text-mint-ink" : "size-5"}
      />
      <span aria-live="polite">{isCopied ? ticketCopy.copied : ticketCopy.copy}</span>
    </button>
  );
}
