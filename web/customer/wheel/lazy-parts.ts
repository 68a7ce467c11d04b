import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import type { createWheelRunner } from "../../ui/wheel/wheel-runner.ts";
import type { PlayMode } from "../page-data.ts";
import { createEnding, type Ending } from "./ending.ts";
import { createFlickableRunner } from "./flick.ts";
import { FollowingStep } from "./following-step.tsx";
import { NameStep } from "./name-step.tsx";
import { type PlayJourney, startPlayJourney } from "./play-journey.ts";
import { SoundSwitch } from "./sound-switch.tsx";
import { SpinProblem } from "./spin-problem.tsx";
import { SpinRefused } from "./spin-refused.tsx";
import { createWheelSound, type WheelSound } from "./wheel-sound.ts";
import { WheelStep } from "./wheel-step.tsx";

/** Parts that the first step of the wheel page does not need; one file, loaded apart. */
export type LazyParts = {
  journey: PlayJourney;
  NameStep: typeof NameStep;
  WheelStep: typeof WheelStep;
  FollowingStep: typeof FollowingStep;
  SpinProblem: typeof SpinProblem;
  SpinRefused: typeof SpinRefused;
  SoundSwitch: typeof SoundSwitch;
  sound: WheelSound;
  ending: Ending;
  createWheelRunner: typeof createWheelRunner;
};

/** Begins to play, and brings what the page shows and moves from then on. */
export function beginPlay(
  slug: string,
  mode: PlayMode,
  campaign: PublicCampaign | null,
): LazyParts {
  const journey = startPlayJourney(slug, mode, campaign);
  const sound = createWheelSound();
  return {
    journey,
    sound,
    ending: createEnding(journey, sound),
    NameStep,
    WheelStep,
    FollowingStep,
    SpinProblem,
    SpinRefused,
    SoundSwitch,
    createWheelRunner: createFlickableRunner,
  };
}
