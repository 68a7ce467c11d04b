import { Gift, MessageCircle } from "lucide-react";
import type { GivenCode as Given } from "#domain/schemas/reviews.ts";
import { formatDate } from "../../../lib/format.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { reviewPanelCopy } from "../panel/review-panel.copy.ts";

const copy = reviewPanelCopy.gesture;

type GivenCodeProps = { given: Given; store: string; phone: string | undefined };

/** The code that was given with a review: what it is for, whether it waits, and ways to hand it on. */
export function GivenCode({ given, store, phone }: GivenCodeProps) {
  const { reward, code, status, used_at, expires_at, timezone } = given;
  const until = expires_at && formatDate(new Date(expires_at), timezone);
  const state =
    status === "used" && used_at
      ? copy.used(formatDate(new Date(used_at)))
      : until && (status === "expired" ? copy.expired(until) : copy.until(until));
  return (
    <section
      aria-label={copy.title}
      className="grid gap-3 rounded-field bg-violet-soft px-4 py-3.5 text-ink"
    >
      <p className="flex items-center gap-2 font-semibold wrap-anywhere">
        <Gift aria-hidden="true" className="size-5 shrink-0 text-violet" />
        {copy.of(reward)}
      </p>
      {code === null ? (
        <p className="text-sm">{copy.hidden}</p>
      ) : (
        <p>
          <code className="font-sans text-xl font-bold tracking-[0.06em] wrap-anywhere">
            {code}
          </code>
        </p>
      )}
      {state && <p className="text-sm">{state}</p>}
      {code !== null && status === "available" && (
        <div className="flex flex-wrap gap-3 max-sm:*:grow">
          <CopyButton text={code} label={copy.copy} copied={copy.copied} />
          {phone && until && (
            <a
              href={`sms:${phone}?body=${encodeURIComponent(copy.words(store, reward, code, until))}`}
              className={buttonClass({ variant: "secondary" })}
            >
              <MessageCircle aria-hidden="true" className="size-5" />
              {copy.text}
            </a>
          )}
        </div>
      )}
    </section>
  );
}
