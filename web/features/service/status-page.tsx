import type { Operator } from "#domain/schemas/operator.ts";
import { SERVICE_PARTS } from "#domain/schemas/service-status.ts";
import { DeploymentValue } from "../../ui/deployment-value.tsx";
import { SiteFooter } from "../../ui/site-footer.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { statusCopy as copy } from "./status.copy.ts";

/** `/statut`: how the service does, which its script asks of the service itself (`web/site/status.ts`). */
export function StatusPage({ operator }: { operator: Operator }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="mx-auto w-full max-w-2xl grow px-4 pt-12 pb-20 sm:px-8">
        <h1 className="text-3xl">{copy.title}</h1>
        <noscript>
          <p className="mt-6 font-semibold">{copy.unscripted}</p>
        </noscript>
        <section data-status className="only-with-script group">
          <div
            role="status"
            className="mt-6 rounded-card bg-line/60 px-5 py-5 group-data-[state=degraded]:bg-sun-soft group-data-[state=degraded]:text-sun-ink group-data-[state=down]:bg-coral-soft group-data-[state=down]:text-coral-ink group-data-[state=operational]:bg-mint-soft group-data-[state=operational]:text-mint-ink"
          >
            <p data-overall className="font-display text-xl font-bold">
              {copy.asking}
            </p>
            <p data-detail className="mt-1 text-pretty empty:hidden" />
          </div>
          <ul className="mt-6 divide-y divide-line rounded-card bg-surface px-5 shadow-card ring-1 ring-line">
            {SERVICE_PARTS.map((part) => (
              <li
                key={part}
                data-part={part}
                className="group/part flex items-start justify-between gap-4 py-4"
              >
                <div className="min-w-0 flex-1">
                  <h2 className="font-sans text-base font-bold">{copy.parts[part].name}</h2>
                  <p className="text-sm text-pretty text-muted">{copy.parts[part].text}</p>
                  <p data-figure className="mt-1 text-sm text-muted empty:hidden" />
                </div>
                <p
                  data-state-text
                  className="shrink-0 rounded-full bg-line px-3 py-0.5 text-sm font-semibold text-ink group-data-[state=degraded]/part:bg-sun-soft group-data-[state=degraded]/part:text-sun-ink group-data-[state=down]/part:bg-coral-soft group-data-[state=down]/part:text-coral-ink group-data-[state=operational]/part:bg-mint-soft group-data-[state=operational]/part:text-mint-ink"
                >
                  …
                </p>
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm text-muted">
            <span data-checked /> {copy.refresh}
          </p>
        </section>
        <DeploymentValue entry="contact" value={true}>
          {() => (
            <p className="mt-8">
              {copy.report}{" "}
              <a href="/contact" className="font-semibold underline underline-offset-4">
                {copy.contact}
              </a>
            </p>
          )}
        </DeploymentValue>
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}
