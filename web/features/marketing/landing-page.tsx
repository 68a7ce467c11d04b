import { Link } from "@tanstack/react-router";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { FeatureGrid } from "./feature-grid.tsx";
import { landingCopy as copy } from "./landing.copy.ts";
import { proofCopy } from "./proof.copy.ts";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { Soon } from "./soon.tsx";
import { TrialWheel } from "./trial-wheel.tsx";

/** `/`: what this is, in the order in which a merchant asks (specification, section 2.2). */
export function LandingPage() {
  usePageTitle(copy.title);
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <SiteHeader />
      <main>
        <Hero />
        <Steps />
        <FeatureGrid />
        <Compliance />
        <Proof />
        <Closing />
      </main>
      <SiteFooter />
    </div>
  );
}

/** The way to the demo shop's own journey, as a customer takes it. */
function DemoLink({ label, look }: { label: string; look: string }) {
  const { config } = useApp();
  const href = config.demo_slug
    ? `/c/${encodeURIComponent(config.demo_slug)}/review`
    : "#roue-essai";
  return (
    <a href={href} className={look}>
      {label}
    </a>
  );
}

function Hero() {
  return (
    <section className="mx-auto grid w-full max-w-6xl items-center gap-12 px-4 pt-12 pb-16 sm:px-8 lg:grid-cols-[1.1fr_1fr] lg:pt-16 lg:pb-24">
      <div>
        <h1 className="text-3xl text-balance sm:text-4xl">{copy.hero.title}</h1>
        <p className="mt-6 max-w-md text-lg text-pretty text-muted">{copy.hero.text}</p>
        <div className="mt-8 grid gap-3 sm:flex">
          <Link to="/pricing" className={buttonClass({ size: "lg" })}>
            {copy.hero.pricing}
          </Link>
          <DemoLink
            label={copy.hero.demo}
            look={buttonClass({ variant: "secondary", size: "lg" })}
          />
        </div>
        <p className="mt-4 text-muted">{copy.hero.trial}</p>
      </div>
      <div id="roue-essai" className="scroll-mt-20">
        <TrialWheel />
      </div>
    </section>
  );
}

function Steps() {
  return (
    <section aria-labelledby="etapes" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-8 lg:py-20">
        <h2 id="etapes" className="text-2xl sm:text-3xl">
          {copy.steps.title}
        </h2>
        <ol className="mt-10 grid gap-10 md:grid-cols-3">
          {copy.steps.list.map(({ title, text }, index) => (
            <li key={title} className="border-t-4 border-violet pt-5">
              <p aria-hidden="true" className="font-display text-3xl font-bold text-violet">
                {index + 1}
              </p>
              <h3 className="mt-2 text-xl font-bold">{title}</h3>
              <p className="mt-2 text-pretty text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Compliance() {
  const { title, points, text } = copy.compliance;
  return (
    <section aria-labelledby="conforme" className="bg-violet-soft">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-16 sm:px-8 md:grid-cols-2 lg:py-20">
        <div>
          <h2 id="conforme" className="text-2xl sm:text-3xl">
            {title}
          </h2>
          <p className="mt-4 max-w-md text-pretty">{text}</p>
        </div>
        <ul className="grid content-center gap-4 text-lg font-semibold">
          {points.map((point) => (
            <li key={point} className="border-l-4 border-violet pl-4">
              {point}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Proof() {
  return (
    <section
      aria-labelledby="preuves"
      className="mx-auto w-full max-w-6xl px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="preuves" className="text-2xl sm:text-3xl">
        {copy.proof.title}
      </h2>
      <dl className="mt-10 grid gap-6 sm:grid-cols-3">
        {proofCopy.figures.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse justify-end border-l-4 border-sun pl-4">
            <dt className="text-muted">{label}</dt>
            <dd className="font-display text-3xl font-bold">{value}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-12 grid gap-5 md:grid-cols-3">
        {proofCopy.testimonials.map(({ text, name, role }) => (
          <li key={name} className="rounded-card bg-surface p-6 shadow-card ring-1 ring-line">
            <figure className="flex h-full flex-col justify-between gap-6">
              <blockquote className="text-lg text-pretty">« {text} »</blockquote>
              <figcaption>
                <span className="block font-bold">{name}</span>
                <span className="text-muted">{role}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Closing() {
  const { title, text, start } = copy.closing;
  return (
    <section
      aria-labelledby="commencer"
      className="mx-auto mb-16 w-full max-w-6xl px-4 sm:px-8 lg:mb-20"
    >
      <div className="grid justify-items-center gap-6 rounded-card bg-surface px-6 py-14 text-center shadow-card ring-1 ring-line">
        <h2 id="commencer" className="text-2xl text-balance sm:text-3xl">
          {title}
        </h2>
        <p className="text-lg text-muted">{text}</p>
        <div className="grid gap-3 sm:flex">
          <Link to="/auth/signup" className={buttonClass({ size: "lg" })}>
            {start}
          </Link>
          <DemoMeeting />
        </div>
      </div>
    </section>
  );
}

/** Books a demo with the operator, or says that it will be possible. */
function DemoMeeting() {
  const { demo } = copy.closing;
  const { demo_url: url } = useApp().config.operator;
  if (url !== null) {
    return (
      <a href={url} className={buttonClass({ variant: "secondary", size: "lg" })}>
        {demo}
      </a>
    );
  }
  return (
    <span className="inline-flex min-h-15 items-center justify-center gap-2 px-4 text-lg font-semibold text-muted">
      {demo}
      <Soon />
    </span>
  );
}
