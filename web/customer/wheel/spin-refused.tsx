import { AlreadyPlayed } from "../endings/already-played.tsx";
import type { PlayJourney } from "./play-journey.ts";
import type { PlayState } from "./play-state.ts";
import { wheelCopy } from "./wheel.copy.ts";

type SpinRefusedProps = { state: PlayState; journey: PlayJourney };

/** The wheel did not turn, since this person has played: no way to try again, which could not succeed. */
export function SpinRefused({ state: { campaign, mode }, journey }: SpinRefusedProps) {
  if (campaign === null) return null;
  const editContact = () => journey.send({ type: "step_revisited", step: "contact" });
  return (
    <AlreadyPlayed
      campaign={campaign}
      takesFocus
      onLeave={mode === "libre" ? editContact : null}
      leave={wheelCopy.ready.editContact}
    />
  );
}
