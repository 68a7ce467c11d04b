import { FeaturePicture } from "./feature-picture.tsx";
import { landingCopy } from "./landing.copy.ts";

const copy = landingCopy.features;

/** The six things that it does (specification, section 1). */
export function FeatureGrid() {
  return (
    <section
      id="fonctionnalites"
      aria-labelledby="fonctionnalites-titre"
      className="laid-out-later mx-auto w-full max-w-6xl scroll-mt-16 px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="fonctionnalites-titre" className="max-w-2xl text-2xl text-balance sm:text-3xl">
        {copy.title}
      </h2>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {copy.list.map(({ picture, title, text }) => (
          <li key={title} className="rounded-card bg-surface p-6 shadow-card ring-1 ring-line">
            <FeaturePicture name={picture} />
            <h3 className="mt-5 text-xl font-bold text-balance">{title}</h3>
            <p className="mt-2 text-pretty text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
