import type { ReactNode } from "react";
import type { Operator } from "#domain/schemas/operator.ts";
import { SiteFooter } from "../../ui/site-footer.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { Closing } from "./closing.tsx";
import { Compliance } from "./compliance.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { Hero } from "./hero.tsx";
import { Prices } from "./prices.tsx";
import { Product } from "./product.tsx";
import { Proof } from "./proof.tsx";
import { Steps } from "./steps.tsx";

type LandingPageProps = {
  operator: Operator;
  /** The demo campaign's journey, or the wheel to try where there is no demo. */
  demoHref: string;
  /** The wheel's picture. */
  wheel: ReactNode;
};

/** `/`: what this is, in the order in which a merchant asks (specification, section 2.2). */
export function LandingPage({ operator, demoHref, wheel }: LandingPageProps) {
  return (
    <div className="for-visitors flex min-h-dvh flex-col overflow-x-clip">
      <SiteHeader />
      <main>
        <Hero demoHref={demoHref} wheel={wheel} />
        <Steps />
        <FeatureGrid />
        <Product />
        <Compliance />
        <Proof />
        <Prices />
        <Closing demoUrl={operator.demo_url} />
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}
