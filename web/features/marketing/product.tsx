import { landingCopy } from "./landing.copy.ts";
import { ProductPicture } from "./product-picture.tsx";

const copy = landingCopy.product;

/** The merchant's side: what one sees every morning. */
export function Product() {
  return (
    <section aria-labelledby="produit" className="laid-out-later border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl items-center gap-x-14 gap-y-10 px-4 py-16 sm:px-8 lg:grid-cols-[1fr_1.5fr] lg:py-20">
        <div>
          <h2 id="produit" className="text-2xl sm:text-3xl">
            {copy.title}
          </h2>
          <p className="mt-4 text-lg text-pretty text-muted">{copy.text}</p>
          <ul className="mt-6 grid gap-3 font-semibold">
            {copy.points.map((point) => (
              <li key={point} className="border-l-4 border-mint pl-4 text-pretty">
                {point}
              </li>
            ))}
          </ul>
        </div>
        <div className="rounded-card bg-violet-soft p-3 sm:p-5">
          <ProductPicture
            name="dashboard"
            text={copy.picture}
            width={960}
            height={600}
            className="rounded-field shadow-card"
          />
        </div>
      </div>
    </section>
  );
}
