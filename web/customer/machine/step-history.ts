import * as z from "zod/mini";
import type { Machine } from "./machine.ts";

const entry = z.object({ step: z.string() });

/**
 * Gives steps their place in the browser's history, so that « back » leads to the step
 * before. `isNewPlace` decides which steps get a history entry; the others take the place
 * of the step before them. The machine may ignore a revisit that makes no sense.
 */
export function followSteps<State extends { step: string }, Event>(
  machine: Machine<State, Event>,
  isNewPlace: (from: string, to: string) => boolean,
  revisit: (step: string) => void,
): void {
  let shown = machine.current().step;
  const placeHere = () => entry.safeParse(history.state).data?.step;

  // After a reload the browser still knows the place.
  if (placeHere() === undefined) history.replaceState({ step: shown }, "");

  machine.watch(() => {
    const { step } = machine.current();
    if (step === shown) return;
    const from = shown;
    shown = step;
    // The browser is there already: one went back to it.
    if (step === placeHere()) return;
    if (isNewPlace(from, step)) history.pushState({ step }, "");
    else history.replaceState({ step }, "");
  });

  addEventListener("popstate", ({ state }) => {
    const target = entry.safeParse(state).data?.step;
    if (target === undefined || target === shown) return;
    revisit(target);
  });
}
