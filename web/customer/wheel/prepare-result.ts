import type { SpinResult } from "#domain/schemas/journey.ts";

/**
 * Fetches what a win shows besides its words, while the wheel turns: the code's picture and the confetti are there when it
 * stops. What fails is asked for again where it is needed.
 */
export function prepareResult({ reward, redemption_code: code }: SpinResult): void {
  if (reward === null) return;
  import("canvas-confetti").catch(() => {});
  if (code === null) return;
  import("lean-qr").catch(() => {});
  import("lean-qr/extras/svg").catch(() => {});
}
