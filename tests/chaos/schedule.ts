import { numbers } from "../harness/numbers.ts";

/** Targets of a blow. Each comes about as often as the others. */
export const BLOWS = [
  // The server alone: its PostgreSQL stays behind.
  "server",
  // Of PostgreSQL: the process that the others belong to, one that serves a connection, or all.
  "postmaster",
  "backend",
  "database",
  // The server and all of PostgreSQL.
  "everything",
] as const;
export type Blow = (typeof BLOWS)[number];

/** Whose connections are ended. */
export const CUTS = ["clients' connections", "database's connections"] as const;
export type Cut = (typeof CUTS)[number];

/** A moment: after so many more answers, and then so many milliseconds. */
type Moment = { answers: number; ms: number };

/** A kill under load, perhaps after a cut. */
export type Round = {
  cut: (Moment & { what: Cut; share: number }) | null;
  kill: Moment & { what: Blow };
  /** Kills the server once more, so many milliseconds after it was started again; null: lets it start. */
  againMs: number | null;
};

const MAX_ANSWERS = 100;
const MOMENT_MS = 100;
const START_MS = 1_500;

/** Events of so many rounds: the same for the same seed. */
export function schedule(seed: number, rounds: number): Round[] {
  const random = numbers(seed);
  const below = (end: number) => Math.floor(random() * end);
  const moment = (): Moment => ({ answers: 10 + below(MAX_ANSWERS), ms: below(MOMENT_MS) });
  // A pack of all of them is dealt out before the next.
  let pack: Blow[] = [];
  return Array.from({ length: rounds }, () => {
    if (pack.length === 0) pack = [...BLOWS];
    const [what = "server"] = pack.splice(below(pack.length), 1);
    const isCut = random() < 0.5;
    const cut = { ...moment(), what: CUTS[below(2)] ?? CUTS[0], share: below(2) || random() };
    const kill = { ...moment(), what };
    const againMs = below(START_MS);
    const isAgain = random() < 0.25 && (what === "server" || what === "everything");
    return { cut: isCut ? cut : null, kill, againMs: isAgain ? againMs : null };
  });
}
