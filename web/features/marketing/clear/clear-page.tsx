import type { ReactNode } from "react";
import type { Operator } from "#domain/schemas/operator.ts";
import { planNames } from "../../../lib/plan-names.copy.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { SiteFooter } from "../../../ui/site-footer.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { Calculator } from "./calculator.tsx";
import { clearCopy } from "./clear.copy.ts";
import { CounterScene } from "./counter-scene.tsx";

const { scene, loop, sums, law, limits } = clearCopy;

/** `/en-clair`: what a merchant wants to know before starting. The landing page brings the same sections in where one nears them. */
export function ClearPage({ operator }: { operator: Operator }) {
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <SiteHeader />
      <main className="grow">
        <div className="mx-auto w-full max-w-6xl px-4 pt-12 sm:px-8">
          <h1 className="max-w-3xl text-3xl text-balance">{clearCopy.title}</h1>
          <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">{clearCopy.intro}</p>
        </div>
        <div data-clear>
          <Scene />
          <Sums />
          <Law />
          <Limits />
        </div>
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}

type SectionProps = { id: string; title: string; text: string; children: ReactNode };

function Section({ id, title, text, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-6xl px-4 py-12 sm:px-8 lg:py-16">
      <h2 id={id} className="max-w-2xl text-2xl text-balance sm:text-3xl">
        {title}
      </h2>
      <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">{text}</p>
      <div className="mt-8">{children}</div>
    </section>
  );
}

/** The counter, and beside it what its customers see. */
function Scene() {
  return (
    <section
      aria-labelledby="comptoir"
      className="mx-auto grid w-full max-w-6xl items-center gap-x-12 gap-y-10 px-4 py-12 sm:px-8 lg:grid-cols-[1fr_18rem] lg:py-16"
    >
      <div>
        <h2 id="comptoir" className="text-2xl text-balance sm:text-3xl">
          {scene.title}
        </h2>
        <p className="mt-4 mb-8 max-w-2xl text-lg text-pretty text-muted">{scene.text}</p>
        <CounterScene label={scene.label} />
      </div>
      <figure data-loop className="mx-auto grid w-full max-w-60 justify-items-center gap-3">
        <div
          data-screen
          className="w-full overflow-hidden rounded-[1.75rem] border-[6px] border-ink bg-ink"
        >
          <img
            src="/product/journey.webp"
            alt={loop.label}
            width={360}
            height={720}
            loading="lazy"
            decoding="async"
            className="block h-auto w-full"
          />
        </div>
        <button
          type="button"
          hidden
          data-play={loop.play}
          data-pause={loop.pause}
          className={buttonClass({ variant: "secondary" })}
        >
          {loop.play}
        </button>
        <figcaption className="text-center">
          <span className="block font-bold text-balance">{loop.title}</span>
          <span className="text-sm text-muted">{loop.text}</span>
        </figcaption>
      </figure>
    </section>
  );
}

function Sums() {
  return (
    <Section id="calcul" title={sums.title} text={sums.text}>
      <Calculator />
    </Section>
  );
}

function Law() {
  return (
    <section aria-labelledby="loi" className="bg-violet-soft">
      <div className="mx-auto w-full max-w-6xl px-4 py-12 sm:px-8 lg:py-16">
        <h2 id="loi" className="text-2xl sm:text-3xl">
          {law.title}
        </h2>
        <div className="mt-8 grid max-w-3xl gap-3">
          {law.entries.map(({ question, answer }) => (
            <details key={question} className="group rounded-card bg-surface px-5 ring-1 ring-line">
              <summary className="flex min-h-14 cursor-pointer items-center justify-between gap-4 py-3 text-lg font-bold">
                {question}
                <svg
                  viewBox="-8 -8 16 16"
                  aria-hidden="true"
                  className="size-4 shrink-0 group-open:rotate-180"
                >
                  <path
                    d="m-6-3 6 6 6-6"
                    fill="none"
                    strokeWidth="2.5"
                    strokeLinecap="round"
                    strokeLinejoin="round"
                    className="stroke-violet"
                  />
                </svg>
              </summary>
              <p className="pb-5 text-pretty">{answer}</p>
            </details>
          ))}
        </div>
        <p className="mt-6 max-w-3xl text-pretty">
          {law.note}{" "}
          <a href="/legal/rgpd" className="font-semibold underline underline-offset-4">
            {law.rgpd}
          </a>
        </p>
      </div>
    </section>
  );
}

/** Limits of each plan, in whole sentences. */
function Limits() {
  const plans = [
    { name: planNames.free_trial, lines: limits.trial, edge: "border-mint" },
    { name: planNames.basic, lines: limits.basic, edge: "border-violet" },
    { name: planNames.pro, lines: limits.pro, edge: "border-sun" },
  ];
  return (
    <Section id="limites" title={limits.title} text={limits.text}>
      <ul className="grid gap-4 md:grid-cols-3 md:gap-5">
        {plans.map(({ name, lines, edge }) => (
          <li
            key={name}
            className={`rounded-card border-t-4 bg-surface p-6 ring-1 ring-line ${edge}`}
          >
            <h3 className="text-xl font-bold">{name}</h3>
            <ul className="mt-3 grid gap-2">
              {lines.map((line) => (
                <li key={line} className="text-pretty">
                  {line}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p className="mt-6 max-w-3xl text-pretty">{limits.reached}</p>
      <p className="mt-6">
        <a href="/pricing" className={buttonClass({ variant: "secondary" })}>
          {limits.more}
        </a>
      </p>
    </Section>
  );
}
