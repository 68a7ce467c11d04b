import type { OpenWheel } from "#domain/schemas/public-organization.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { Icon } from "../parts/icon.tsx";
import { organizationCopy as copy } from "./organization.copy.ts";

/** Open wheels, each a way to its review page. Days are those of the stores, wherever the reader is. */
export function WheelLinks({ wheels }: { wheels: readonly OpenWheel[] }) {
  return (
    <ul className="grid gap-3">
      {wheels.map(({ slug, name, store_name, timezone, ends_at }) => (
        <li key={slug}>
          <a
            href={`/c/${slug}/review`}
            className="flex min-h-18 items-center gap-3 rounded-card bg-surface p-4 shadow-card ring-1 ring-line transition duration-150 hover:ring-violet active:bg-violet-soft"
          >
            <span className="min-w-0 grow">
              <span className="block font-bold">{store_name}</span>
              <span className="block text-base text-muted">{name}</span>
              {ends_at !== null && (
                <span className="block text-base text-muted">
                  {copy.until(dayInWords(new Date(ends_at), new Date(), timezone))}
                </span>
              )}
            </span>
            <Icon name="chevron" className="size-6 text-violet" />
          </a>
        </li>
      ))}
    </ul>
  );
}
