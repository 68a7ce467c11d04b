import type { Claims } from "#domain/schemas/operator.ts";
import { proofCopy as copy } from "./proof.copy.ts";

/** Figures and testimonials that the operator has confirmed; either may be missing. */
export function ClaimsSection({ claims: { figures, testimonials } }: { claims: Claims }) {
  return (
    <section
      aria-labelledby="preuves"
      className="laid-out-later mx-auto w-full max-w-6xl px-4 py-16 sm:px-8 lg:py-20"
    >
      <h2 id="preuves" className="text-2xl sm:text-3xl">
        {copy.claimed}
      </h2>
      {figures.length > 0 && (
        <dl className="mt-10 grid gap-6 sm:grid-cols-3">
          {figures.map(({ value, label }) => (
            <div
              key={label}
              className="flex flex-col-reverse justify-end border-l-4 border-sun pl-4"
            >
              <dt className="text-muted">{label}</dt>
              <dd className="font-display text-3xl font-bold">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {testimonials.length > 0 && (
        <ul className="mt-12 grid gap-5 md:grid-cols-3">
          {testimonials.map(({ text, name, role }) => (
            <li
              key={text}
              className="min-w-0 rounded-card bg-surface p-6 shadow-card ring-1 ring-line"
            >
              <figure className="flex h-full flex-col justify-between gap-6">
                <blockquote className="text-lg text-pretty wrap-break-word">
                  {copy.quoted(text)}
                </blockquote>
                <figcaption>
                  <span className="block font-bold">{name}</span>
                  <span className="text-muted">{role}</span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
