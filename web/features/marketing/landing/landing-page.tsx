import type { ReactNode } from "react";
import type { Operator } from "#domain/schemas/operator.ts";
import { SiteFooter } from "../../../ui/site-footer.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { Closing } from "./closing.tsx";
import { FeaturePicture } from "./feature-picture.tsx";
import { Hero } from "./hero.tsx";
import { landingCopy } from "./landing.copy.ts";
import { Prices } from "./prices.tsx";
import { ProductPicture } from "./product-picture.tsx";
import { Steps } from "./steps.tsx";

type LandingPageProps = {
  operator: Operator;
  /** The demo campaign's journey, or the wheel to try where there is no demo. */
  demoHref: string;
  /** The wheel's picture. */
  wheel: ReactNode;
  /** Claims about the service, or facts that can be proven. */
  proof: ReactNode;
};

/** `/`: what this is, in the order in which a merchant asks (specification, section 2.2). */
export function LandingPage({ operator, demoHref, wheel, proof }: LandingPageProps) {
  return (
    <div className="for-visitors flex min-h-dvh flex-col overflow-x-clip">
      <SiteHeader />
      <main>
        <Hero demoHref={demoHref} wheel={wheel} />
        <Steps />
        <FeatureGrid />
        <Product />
        <Compliance />
        {proof}
        <Prices />
        <Closing demoUrl={operator.demo_url} />
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}

/** Meaning of « conforme », said plainly. */
function Compliance() {
  const { title, points, text, link } = landingCopy.compliance;
  return (
    <section aria-labelledby="conforme" className="laid-out-later bg-violet-soft">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-16 sm:px-8 md:grid-cols-2 lg:py-20">
        <div>
          <h2 id="conforme" className="text-2xl sm:text-3xl">
            {title}
          </h2>
          <p className="mt-4 max-w-md text-lg text-pretty">{text}</p>
          <a href="/en-clair" data-later className="mt-4 block text-lg font-semibold underline">
            {link}
          </a>
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

/** The six things that it does (specification, section 1). */
function FeatureGrid() {
  return (
    <section
      id="fonctionnalites"
      aria-labelledby="fonctionnalites-titre"
      className="laid-out-later mx-auto w-full max-w-6xl -scroll-mt-4 px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="fonctionnalites-titre" className="max-w-2xl text-2xl text-balance sm:text-3xl">
        {landingCopy.features.title}
      </h2>
      <ul className="mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {landingCopy.features.list.map(({ picture, title, text }) => (
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

/** The merchant's side: what one sees every morning. */
function Product() {
  return (
    <section aria-labelledby="produit" className="laid-out-later border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl items-center gap-x-14 gap-y-10 px-4 py-16 sm:px-8 lg:grid-cols-[1fr_1.5fr] lg:py-20">
        <div>
          <h2 id="produit" className="text-2xl sm:text-3xl">
            {landingCopy.product.title}
          </h2>
          <p className="mt-4 text-lg text-pretty text-muted">{landingCopy.product.text}</p>
          <ul className="mt-6 grid gap-3 font-semibold">
            {landingCopy.product.points.map((point) => (
              <li key={point} className="border-l-4 border-mint pl-4 text-pretty">
                {point}
              </li>
            ))}
          </ul>
        </div>
        <div className="rounded-card bg-violet-soft p-3 sm:p-5">
          <ProductPicture
            name="dashboard"
            text={landingCopy.product.picture}
            width={960}
            height={600}
            className="rounded-field shadow-card"
          />
        </div>
      </div>
    </section>
  );
}
