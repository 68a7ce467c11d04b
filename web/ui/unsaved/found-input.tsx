import { useEffect, useEffectEvent, useState } from "react";
import { isOutdated, takeFound, withFound } from "../../lib/input/found-input.ts";
import type { FormValues } from "../../lib/input/unsaved-input.ts";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { useBroughtIntoView } from "../use-brought-into-view.ts";
import { foundInputCopy as copy } from "./found-input.copy.ts";

/** Completes the values of a form by what was kept of it; null when that does not fit it. */
type Complete = <T extends FormValues>(present: T) => T | null;

export type FoundInputProps = {
  /** Under which it was kept. */
  form: string;
  isUnsaved: boolean;
  /** Values of the form if nothing had been typed. */
  saved: () => FormValues;
  /** Puts it back; false when it does not fit. */
  putBack: (complete: Complete) => boolean;
  drop: () => void;
};

/** Puts back what was typed before the session ended, says so, and lets one give it up. */
export function FoundInput({ form, isUnsaved, saved, putBack, drop }: FoundInputProps) {
  const [word, setWord] = useState<"none" | "found" | "outdated" | "dropped">("none");
  const place = useBroughtIntoView<HTMLDivElement>(word !== "none");

  const restore = useEffectEvent(() => {
    const kept = takeFound(form);
    if (!kept || !putBack((present) => withFound(present, kept))) return;
    setWord(isOutdated(saved(), kept) ? "outdated" : "found");
  });
  useEffect(() => restore(), []);

  // Once it was saved or undone, and once something was typed after it was given up, there is nothing to say.
  const [wasUnsaved, setWasUnsaved] = useState(isUnsaved);
  if (isUnsaved !== wasUnsaved) {
    setWasUnsaved(isUnsaved);
    if (isUnsaved === (word === "dropped")) setWord("none");
  }

  if (word === "none") return null;
  const giveUp = () => {
    // The button disappears: focus moves to the message in its place.
    place.current?.focus();
    setWord("dropped");
    drop();
  };
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-24">
      <Notice>
        <p>{word === "dropped" ? copy.dropped : copy.found}</p>
        {word === "outdated" && <p className="font-normal">{copy.outdated}</p>}
        {word !== "dropped" && (
          <Button variant="secondary" className="mt-3" onClick={giveUp}>
            {copy.drop}
          </Button>
        )}
      </Notice>
    </div>
  );
}
