import type { Operator } from "#domain/schemas/operator.ts";
import { DeploymentValue } from "./deployment-value.tsx";
import { siteCopy } from "./site.copy.ts";
import { Wordmark } from "./wordmark.tsx";

const copy = siteCopy.footer;

const LINK = "inline-flex min-h-11 items-center font-medium hover:text-violet";

/** Foot of the public pages: where else to go, and who is behind it. */
export function SiteFooter({ operator }: { operator: Operator }) {
  return (
    <footer className="laid-out-later border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-12 sm:px-8 md:grid-cols-[1.4fr_repeat(3,1fr)]">
        <div className="grid content-start gap-3">
          <Wordmark className="h-8 w-auto justify-self-start" />
          <p className="max-w-60 text-muted">{copy.tagline}</p>
        </div>
        {copy.columns.map(({ title, links }) => (
          <section key={title} aria-labelledby={`footer-${title}`}>
            <h2 id={`footer-${title}`} className="text-lg font-bold">
              {title}
            </h2>
            <ul className="mt-2">
              {links.map(({ label, href }) => (
                <li key={label}>
                  <a href={href} className={LINK}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Behind operator={operator} />
    </footer>
  );
}

/** The people behind the service, as the law asks and a visitor wonders. */
function Behind({ operator }: { operator: Operator }) {
  return (
    <div className="border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-x-10 gap-y-2 px-4 py-6 text-sm text-muted sm:px-8">
        <DeploymentValue entry="company" value={operator.company} otherwise={<p>{copy.rights}</p>}>
          {(company) => (
            <p>
              {copy.runBy(company)}
              <DeploymentValue entry="address" value={operator.address}>
                {(address) => <span>{`, ${address}`}</span>}
              </DeploymentValue>
            </p>
          )}
        </DeploymentValue>
        <p>{copy.noCookies}</p>
      </div>
    </div>
  );
}
