import { ChevronDown } from "lucide-react";
import { pricingCopy } from "./pricing.copy.ts";

const copy = pricingCopy.faq;

/** The questions that come before a purchase; the browser's own disclosure opens them. */
export function PricingFaq() {
  return (
    <section aria-labelledby="faq" className="mx-auto grid w-full max-w-3xl gap-4">
      <h2 id="faq" className="text-2xl">
        {copy.title}
      </h2>
      <div className="divide-y divide-line rounded-card bg-surface shadow-card">
        {copy.entries.map(({ question, answer }) => (
          <details key={question} className="group">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 px-5 py-3 font-semibold [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden="true"
                className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180 motion-reduce:transition-none"
              />
            </summary>
            <p className="max-w-[65ch] px-5 pb-5 text-pretty text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
