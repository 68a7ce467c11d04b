/** Steps that can be undone. */
const MAX_STEPS = 50;

/** States that one can go back to, the newest last, and what the newest change was made to. */
export type History<State> = { past: readonly State[]; subject: string | null };

/** Nothing was done yet. */
export const NO_HISTORY = { past: [], subject: null } as const;

/**
 * The history with the state before a change. Changes of one subject in a row (a slider that is dragged, a text that is
 * typed) are undone together; a change without subject is undone by itself.
 */
export function remember<State>(
  { past, subject: last }: History<State>,
  before: State,
  subject: string | null,
): History<State> {
  if (subject !== null && subject === last) return { past, subject };
  return { past: [...past, before].slice(-MAX_STEPS), subject };
}

/** The state to go back to, with the history that is left then; null when nothing was done. */
export function stepBack<State>({ past }: History<State>) {
  const state = past.at(-1);
  return state === undefined
    ? null
    : { state, history: { past: past.slice(0, -1), subject: null } };
}
