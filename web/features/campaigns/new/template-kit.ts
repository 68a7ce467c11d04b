import type { ComponentType, Ref } from "react";
import type { Trade } from "#domain/rules/trade-wheels.ts";
import type { NewSegment } from "../campaigns.mutations.ts";

type EditorProps<Wheel> = {
  storeName: string;
  values: Wheel;
  /** Whether what is wrong is said. */
  isJudged: boolean;
  onChange: (change: (before: Wheel) => Wheel) => void;
  ref: Ref<HTMLDivElement>;
};

/** The wheel of a template while it is adjusted, which belongs to the feature of the wheel. */
export type TemplateKit<Wheel> = {
  proposalFor: (trade: Trade) => Wheel;
  /** Edited wheel of a trade in the form; null without one, or with another trade's. */
  read: (kept: unknown, trade: Trade) => Wheel | null;
  isWhole: (wheel: Wheel) => boolean;
  toSegments: (wheel: Wheel) => NewSegment[];
  Editor: ComponentType<EditorProps<Wheel>>;
  /** Brings the first mistake to whoever sends it. */
  showMistake: (editor: HTMLElement | null) => void;
};
