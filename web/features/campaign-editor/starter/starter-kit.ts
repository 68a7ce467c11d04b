import { lazyRouteComponent } from "@tanstack/react-router";
import * as z from "zod/mini";
import { TRADES, type Trade } from "#domain/rules/trade-wheels.ts";
import { showMistake } from "../wheel/show-mistake.ts";
import { starterCopy } from "./starter.copy.ts";
import { isWhole, proposalFor, starterValues, toSegments } from "./starter.schema.ts";

/** In the editor's place where it does not load: the form goes on, with the wheel as it is proposed. */
const Proposal = () => starterCopy.notLoaded;

/** Loaded for the few who look closer at a proposal. */
const StarterEditor = lazyRouteComponent(
  () => import("./starter-editor.tsx").catch(() => ({ StarterEditor: Proposal })),
  "StarterEditor",
);

const kept = z.object({ trade: z.enum(TRADES), values: starterValues });

/** A first wheel in a form that is about more than the wheel. */
export const starterKit = {
  proposalFor,
  read: (value: unknown, trade: Trade) => {
    const found = kept.safeParse(value);
    return found.success && found.data.trade === trade ? found.data.values : null;
  },
  isWhole,
  toSegments,
  Editor: StarterEditor,
  showMistake,
};
