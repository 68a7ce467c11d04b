import { useSyncExternalStore } from "react";
import type { Machine } from "./machine.ts";

const unwatched = () => () => {};

/** The state of a machine, or the given one until the machine has been loaded. */
export function useMachineState<State, Event>(
  machine: Machine<State, Event> | null,
  before: State,
): State {
  return useSyncExternalStore(
    machine?.watch ?? unwatched,
    machine?.current ?? (() => before),
    () => before,
  );
}
