import type { Wording } from "../text/wording.ts";
import type { tradeWheelsCopy } from "./trade-wheels.copy.ts";

type French = typeof tradeWheelsCopy;

/** The texts of the proposals that customers read: those of the trades' wheels, not their names. */
export type ProposedTexts = Wording<{
  [Key in keyof French]: French[Key] extends { prizes: infer Prizes }
    ? { prizes: Prizes }
    : French[Key];
}>;
