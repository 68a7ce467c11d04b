import { landingCopy } from "./landing.copy.ts";

const { title, points, text } = landingCopy.compliance;

/** What « conforme » means, said plainly. */
export function Compliance() {
  return (
    <section aria-labelledby="conforme" className="bg-violet-soft">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-16 sm:px-8 md:grid-cols-2 lg:py-20">
        <div>
          <h2 id="conforme" className="text-2xl sm:text-3xl">
            {title}
          </h2>
          <p className="mt-4 max-w-md text-lg text-pretty">{text}</p>
        </div>
        <ul className="grid content-center gap-4 text-lg font-semibold">
          {points.map((point) => (
            <li key={point} className="border-l-4 border-violet pl-4 text-pretty">
              {point}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
