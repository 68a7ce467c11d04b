import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { PlayJourney } from "./play-journey.ts";
import { wheelFor } from "./wheel-for.ts";
import type { WheelSound } from "./wheel-sound.ts";
import type { takeWheel, WinScene } from "./win-scene.ts";

/** How the phone buzzes when the wheel stops, in milliseconds: on, off, on. */
const STOP_BUZZ = [45];
const WIN_BUZZ = [30, 40, 90];

/** Colour of a losing segment unless the merchant chose another (specification, section 9). */
const NO_LUCK_COLOR = "#6B7280";

/** Effects at the end of a spin: what is shown, heard and felt. */
export type Ending = {
  /** The wheel has stopped: on to the result. */
  stop: () => void;
  /** Scene of a win that was just drawn; null where it is shown plainly. */
  scene: () => WinScene | null;
};

/** The wheel's colours without its greys, which mean no luck. */
function festive({ segments }: PublicCampaign): string[] {
  const colors = segments.map(({ color }) => color);
  return colors.filter((color) => color.toUpperCase() !== NO_LUCK_COLOR);
}

/** Whether the user prefers reduced motion. */
function isCalm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Ends the turns of a journey. The scene of a win comes while the wheel turns; where it does not, the win shows without. */
export function createEnding(journey: PlayJourney, sound: WheelSound): Ending {
  let take: typeof takeWheel | null = null;
  let scene: WinScene | null = null;

  journey.watch(() => {
    const { step, result } = journey.current();
    if (step !== "spinning" || !result?.reward || isCalm()) return;
    import("./win-scene.ts").then(
      (module) => {
        take = module.takeWheel;
      },
      () => {},
    );
  });

  function sceneOf(stopAt: number, colors: string[]): WinScene | null {
    try {
      return take?.(stopAt, colors) ?? null;
    } catch {
      // A browser that cannot make it goes without: nothing keeps a prize from its winner.
      return null;
    }
  }

  return {
    stop() {
      const { campaign, result } = journey.current();
      if (campaign === null || result === null) return;
      const hasWon = result.reward !== null;
      scene = null;
      if (!isCalm()) {
        navigator.vibrate?.(hasWon ? WIN_BUZZ : STOP_BUZZ);
        const { stopAt } = wheelFor(campaign.segments, result);
        if (hasWon && stopAt !== null) scene = sceneOf(stopAt, festive(campaign));
      }
      if (hasWon) sound.chime();
      journey.send({ type: "wheel_stopped" });
    },
    scene: () => scene,
  };
}
