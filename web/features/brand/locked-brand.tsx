import { LockedFeature } from "../../ui/locked-feature.tsx";
import { brandCopy } from "./brand.copy.ts";

const copy = brandCopy.locked;

/** In place of the cards where the plan shows the product's name: what Pro brings, and what is kept until then. */
export function LockedBrand({ isKept }: { isKept: boolean }) {
  return (
    <LockedFeature title={copy.title} text={copy.text}>
      {isKept && <p className="max-w-[70ch] text-pretty text-muted">{copy.kept}</p>}
    </LockedFeature>
  );
}
