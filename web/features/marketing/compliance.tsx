import { landingCopy } from "./landing.copy.ts";

const { title, points, text } = landingCopy.compliance;

/** What « conforme » means, said plainly. */
export function Compliance() {
  return (
    <section aria-labelledby="conforme" className="laid-out-later bg-violet-soft">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-16 sm:px-8 md:grid-cols-2 lg:py-20">
        <div>
          <h2 id="conforme" className="text-2xl sm:text-3xl">
            {title}
          </h2>
          <p className="mt-4 max-w-md text-lg text-pretty">{text}</p>
        </div>
        <ul className="grid content-center gap-5 text-lg font-semibold">
          {points.map((point) => (
            <li key={point} className="flex gap-4 text-pretty">
              <svg viewBox="-28 -28 56 56" aria-hidden="true" className="mt-0.5 size-7 shrink-0">
                <circle r="28" className="fill-violet" />
                <path
                  d="m-11 1 8 8L12-9"
                  fill="none"
                  strokeWidth="6"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                  className="stroke-surface"
                />
              </svg>
              {point}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
