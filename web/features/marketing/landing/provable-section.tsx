import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { proofCopy } from "./proof.copy.ts";

const { title, text, draw, ticket, points } = proofCopy.provable;

const LINK = "mt-2 inline-flex min-h-11 items-center font-semibold underline underline-offset-4";

/** Verifiable facts, shown where the operator has not confirmed figures and testimonials. */
export function ProvableSection({ demoRules }: { demoRules: string | null }) {
  return (
    <section
      aria-labelledby="preuves"
      className="laid-out-later mx-auto w-full max-w-6xl px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="preuves" className="text-2xl sm:text-3xl">
        {title}
      </h2>
      <p className="mt-3 text-lg text-muted">{text}</p>
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-[1fr_1.5fr]">
        <div>
          <h3 className="text-xl font-bold">{draw.title}</h3>
          <p className="mt-2 text-pretty text-muted">{draw.text}</p>
          <DeploymentValue entry="demo_rules" value={demoRules}>
            {(href) => (
              <a href={href} className={LINK}>
                {draw.link}
              </a>
            )}
          </DeploymentValue>
          <Odds />
        </div>
        <ul className="grid content-between gap-x-8 gap-y-10 sm:grid-cols-2">
          {points.map(({ title: point, text: words, link, edge }) => (
            <li key={point} className={`border-l-4 pl-4 ${edge}`}>
              <h3 className="text-xl font-bold text-balance">{point}</h3>
              <p className="mt-2 text-pretty text-muted">{words}</p>
              <a href={link.href} className={LINK}>
                {link.label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** A part of a règlement, as an example: each prize with its chance. */
function Odds() {
  return (
    <div className="mt-6 rounded-card bg-surface p-6 shadow-card ring-1 ring-line">
      <p className="font-bold">{ticket.title}</p>
      <ul className="mt-4 grid gap-3">
        {ticket.odds.map(({ label, percent, hue }) => (
          <li key={label}>
            <span className="flex justify-between gap-4">
              {label}
              <span className="tabular-nums">{ticket.percent(percent)}</span>
            </span>
            <svg
              viewBox="0 0 100 3"
              preserveAspectRatio="none"
              aria-hidden="true"
              className="mt-1 h-2 w-full"
            >
              <path d="M0 0h100v3H0Z" className="fill-line" />
              <path d={`M0 0h${percent}v3H0Z`} className={hue} />
            </svg>
          </li>
        ))}
      </ul>
      <p className="mt-4 border-t border-line pt-4 font-semibold text-balance">{ticket.note}</p>
    </div>
  );
}
