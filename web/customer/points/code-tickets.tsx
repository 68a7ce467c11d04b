import type { PointsWallet } from "#domain/schemas/points.ts";
import type { PublicPlace } from "#domain/schemas/public-page.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { Ticket } from "../parts/ticket.tsx";
import { pointsCopy as copy } from "./points.copy.ts";

/** The violet of the brand: a code that was bought has no segment whose colour it could take. */
const GROUND = "#6D28D9";

type CodeTicketsProps = {
  wallet: PointsWallet;
  store: PublicPlace;
  /** Those that are over, in a line each, rather than those that are good, as tickets. */
  isUsedShown: boolean;
};

/** Codes that points have bought. */
export function CodeTickets({ wallet: { codes, place }, store, isUsedShown }: CodeTicketsProps) {
  const shown = codes.filter(({ status }) => (status !== "available") === isUsedShown);
  if (shown.length === 0) return null;
  if (isUsedShown) {
    return (
      <div className="grid gap-1">
        <h3 className="font-bold">{copy.codes}</h3>
        <ul className="grid gap-1 text-base text-muted">
          {shown.map(({ id, reward, points, status, used_at }) => (
            <li key={id}>
              <bdi>{reward}</bdi> · {copy.balance(points)} ·{" "}
              {status === "used" && used_at !== null
                ? copy.used(dayInWords(new Date(used_at), new Date(), store.timezone))
                : copy.expired}
            </li>
          ))}
        </ul>
      </div>
    );
  }
  const where = place?.kind === "stores" ? copy.anywhere(place.name) : place?.name;
  return (
    <ul className="grid gap-5">
      {shown.map(({ id, code, reward, expires_at }) => (
        <li key={id} tabIndex={-1} className="outline-none">
          <Ticket
            result={{
              segment_color: GROUND,
              reward: { name: reward },
              redemption_code: code,
              expires_at,
            }}
            store={{ ...store, name: where ?? store.name }}
            picture={undefined}
            isTest={false}
            stamp={place?.kind === "none" ? copy.nowhere : null}
          />
        </li>
      ))}
    </ul>
  );
}
