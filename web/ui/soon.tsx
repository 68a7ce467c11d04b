import { siteCopy } from "./site.copy.ts";

/** Says of what does not exist yet that it will. */
export function Soon() {
  return <span className="rounded-full bg-line px-2 text-sm text-ink">{siteCopy.soon}</span>;
}
