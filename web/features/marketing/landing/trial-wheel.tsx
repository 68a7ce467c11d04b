import { Button } from "../../../ui/button.tsx";
import { MovingPointer } from "../../../ui/wheel/moving-pointer.tsx";
import { WheelFace, type WheelSegment } from "../../../ui/wheel/wheel-face.tsx";
import { WHEEL_VIEW } from "../../../ui/wheel/wheel-geometry.ts";
import { WheelHub } from "../../../ui/wheel/wheel-hub.tsx";
import { trialWheelCopy as copy } from "./trial-wheel.copy.ts";

/** The wheel of the trial and its prizes in words; always as on paper, since its segments are. */
export function TrialPicture({ segments }: { segments: readonly WheelSegment[] }) {
  return (
    <>
      <div aria-hidden="true" className="light relative aspect-square">
        <div data-wheel className="size-full will-change-transform">
          <svg viewBox={WHEEL_VIEW} className="size-full" role="presentation">
            <WheelFace segments={segments} />
          </svg>
        </div>
        <svg viewBox={WHEEL_VIEW} className="absolute inset-0 size-full" role="presentation">
          <WheelHub mark="T" />
        </svg>
        <MovingPointer />
      </div>
      <ul aria-label={copy.segments} className="sr-only">
        {segments.map(({ id, label }) => (
          <li key={id} data-segment>
            {label}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The hero of the landing page: a wheel that one can really turn, once its script is there (`web/site/landing.ts`). */
export function TrialWheel({ children }: { children: React.ReactNode }) {
  return (
    <section
      id="roue-essai"
      data-trial
      // Until its script is there, a press is held (`server/build/start-later.js`).
      data-waits
      aria-label={copy.label}
      className="grid justify-items-center gap-5"
    >
      <div className="w-full max-w-88 sm:max-w-110">{children}</div>
      <div className="grid w-full max-w-80 gap-2 text-center">
        <Button size="lg" className="only-with-script">
          {copy.spin}
        </Button>
        <p role="status" className="only-with-script min-h-12 text-pretty text-muted">
          {copy.note}
        </p>
      </div>
    </section>
  );
}
