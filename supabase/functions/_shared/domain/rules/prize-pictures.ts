import type { PrizePicture } from "./prize-picture.ts";

/** A drawing in two tones of one colour, 24 units wide with its middle at the origin: outlines, the paler one behind. */
export type PrizeDrawing = { soft: string; solid: string };

/** Pictures of prizes on the wheel; the prize's name says what each shows. */
export const PRIZE_DRAWINGS: Readonly<Record<PrizePicture, PrizeDrawing>> = {
  coffee: {
    soft: "M-5.6-10.5c2.4 2.2-1.6 3.8.8 6.5h2.2c-2.4-2.7 1.6-4.3-.8-6.5ZM-.6-10.5c2.4 2.2-1.6 3.8.8 6.5h2.2c-2.4-2.7 1.6-4.3-.8-6.5ZM-9.5 9h15a1.2 1.2 0 0 1 0 2.4h-15a1.2 1.2 0 0 1 0-2.4Z",
    solid:
      "M-9-2.5H5a1 1 0 0 1 1 1V-1h.5a4 4 0 0 1 0 8H5A5.5 5.5 0 0 1 .5 9h-5A5.5 5.5 0 0 1-10 3.5v-5a1 1 0 0 1 1-1ZM6 1v3.5a7 7 0 0 1 0 .5h.5a2 2 0 0 0 0-4Z",
  },
  pastry: {
    soft: "M-11.8 6.2C-11.8-2.4-6.4-8.6 0-8.6S11.8-2.4 11.8 6.2c0 2.6-3.8 3.3-4.8.9C5.9 4.4 3.4 2.6 0 2.6S-5.9 4.4-7 7.1c-1 2.4-4.8 1.7-4.8-.9Z",
    solid:
      "M-3.7-7.8a10 10 0 0 1 7.4 0L2.2 3a8 8 0 0 0-4.4 0ZM-9.7-2.8a14 14 0 0 1 3.2-3.5l2 10a7 7 0 0 0-1.6 1.6ZM9.7-2.8a14 14 0 0 0-3.2-3.5l-2 10a7 7 0 0 1 1.6 1.6Z",
  },
  dessert: {
    soft: "M-7.5 2.5h15L5.7 10.3A1.7 1.7 0 0 1 4 11.6h-8a1.7 1.7 0 0 1-1.7-1.3ZM0-12a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z",
    solid:
      "M-6.5-2.5h13a2.5 2.5 0 0 1 0 5h-13a2.5 2.5 0 0 1 0-5ZM-4-6H4a2.2 2.2 0 0 1 0 4.4h-8A2.2 2.2 0 0 1-4-6ZM-1.8-9h3.6a1.9 1.9 0 0 1 0 3.8h-3.6a1.9 1.9 0 0 1 0-3.8Z",
  },
  drink: {
    soft: "M-7-6.5H7L5.5 10A1.8 1.8 0 0 1 3.7 11.7h-7.4A1.8 1.8 0 0 1-5.5 10Z",
    solid:
      "M-6.5-.5h13L5.5 10a1.8 1.8 0 0 1-1.8 1.7h-7.4A1.8 1.8 0 0 1-5.5 10ZM-1.2-.5 1.8-11.2a1 1 0 0 1 1-.8H6v2H3.6L1-.5Z",
  },
  meal: {
    soft: "M-12 5.5h24a3.5 3.5 0 0 1-3.5 3.5h-17A3.5 3.5 0 0 1-12 5.5Z",
    solid: "M-10 4a10 10 0 0 1 8.2-9.8 2.2 2.2 0 1 1 3.6 0A10 10 0 0 1 10 4Z",
  },
  discount: {
    soft: "M0-12A12 12 0 1 1 0 12 12 12 0 0 1 0-12Z",
    solid:
      "M4.6-7 6.5-5.7-4.6 7-6.5 5.7ZM-3.8-6.8a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM3.8.8a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  },
  gift: {
    soft: "M-9 1.5H9V10A1.7 1.7 0 0 1 7.3 11.7H-7.3A1.7 1.7 0 0 1-9 10Z",
    solid:
      "M-10.5-4.5h21v5h-21ZM-1.6 0h3.2v11.7h-3.2ZM0-4.5C-1-9-3-11.7-5.5-11.5c-4 .4-3.5 6 5.5 7ZM0-4.5C1-9 3-11.7 5.5-11.5c4 .4 3.5 6-5.5 7Z",
  },
  care: {
    soft: "M-5-2.5H5A2.5 2.5 0 0 1 7.5 0v9.2A2.5 2.5 0 0 1 5 11.7H-5A2.5 2.5 0 0 1-7.5 9.2V0A2.5 2.5 0 0 1-5-2.5Z",
    solid:
      "M-3.5-6h7v4.5h-7ZM-1.2-10h2.4v5h-2.4ZM-7-11.7H1.2v2.5H-5v1.5h-2ZM0 .2c2.2 2.7 3.2 4.1 3.2 5.6a3.2 3.2 0 0 1-6.4 0C-3.2 4.3-2.2 2.9 0 .2Z",
  },
  hair: {
    soft: "M6.2-11.5c1 2.2.8 4.3-.3 6.2L-1.8 6.2-4 4.8ZM-5 3.7a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0 2.3a1.7 1.7 0 1 0 0 3.4A1.7 1.7 0 0 0-5 6Z",
    solid:
      "M-6.2-11.5c-1 2.2-.8 4.3.3 6.2L1.8 6.2 4 4.8ZM5 3.7a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM5 6a1.7 1.7 0 1 0 0 3.4A1.7 1.7 0 0 0 5 6Z",
  },
  key: {
    soft: "M3-2.5H8.5a2 2 0 0 1 2 2V9.5a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2ZM5.7-.5a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Z",
    solid:
      "M-4.5-12a5.5 5.5 0 0 1 1.6 10.8V3h2.7v2.5h-2.7v2H-.9V10h-2v1.7h-3.2V-1.2A5.5 5.5 0 0 1-4.5-12Zm0 3.2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4Z",
  },
  sport: {
    soft: "M-11-4.5h3v9h-3ZM8-4.5h3v9H8ZM-4-1.3h8v2.6h-8Z",
    solid:
      "M-7-8.5h2a1.2 1.2 0 0 1 1.2 1.2V7.3A1.2 1.2 0 0 1-5 8.5h-2A1.2 1.2 0 0 1-8.2 7.3V-7.3A1.2 1.2 0 0 1-7-8.5ZM5-8.5h2a1.2 1.2 0 0 1 1.2 1.2V7.3A1.2 1.2 0 0 1 7 8.5H5A1.2 1.2 0 0 1 3.8 7.3V-7.3A1.2 1.2 0 0 1 5-8.5Z",
  },
  star: {
    soft: "M0-12A12 12 0 1 1 0 12 12 12 0 0 1 0-12Z",
    solid: "M0-8.8l2.5 5.4 5.9.7-4.4 4 1.2 5.8L0 4.2-5.2 7.1-4 1.3l-4.4-4 5.9-.7Z",
  },
};

/** A reward that has a picture. */
type Pictured = { id: string; picture: PrizePicture };

/** The drawings of rewards. */
export function drawingsOf(rewards: readonly Pictured[]): ({ id: string } & PrizeDrawing)[] {
  return rewards.map(({ id, picture }) => ({ id, ...PRIZE_DRAWINGS[picture] }));
}
