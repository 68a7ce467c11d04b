import { landingCopy } from "./landing.copy.ts";
import { ProductPicture } from "./product-picture.tsx";

const copy = landingCopy.steps;

/** The customer's way in three gestures, each with the real screen. */
export function Steps() {
  return (
    <section aria-labelledby="etapes" className="laid-out-later border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-8 lg:py-20">
        <h2 id="etapes" className="text-2xl sm:text-3xl">
          {copy.title}
        </h2>
        <ol className="mt-10 grid gap-x-8 gap-y-12 md:grid-cols-3 lg:gap-x-14">
          {copy.list.map(({ picture, title, text }, index) => (
            <li
              key={title}
              className="grid content-start gap-x-5 max-md:grid-cols-[7.5rem_1fr] md:gap-6"
            >
              <div className="overflow-hidden rounded-card bg-violet-soft px-3 pt-3 max-md:self-center md:px-10 md:pt-8">
                <div className="fetched-later aspect-4/5">
                  <ProductPicture
                    name={picture}
                    text={copy.pictures[picture]}
                    width={320}
                    height={400}
                    className="rounded-t-card"
                  />
                </div>
              </div>
              <div className="max-md:self-center">
                <p aria-hidden="true" className="font-display text-3xl font-bold text-violet">
                  {index + 1}
                </p>
                <h3 className="mt-1 text-xl font-bold">{title}</h3>
                <p className="mt-2 text-pretty text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
