import type { Operator } from "#domain/operator.ts";
import { SiteFooter } from "../../ui/site-footer.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { type LegalSection, type LegalText, legalCopy } from "./legal.copy.ts";

/** A legal page: what it says first, its contents, then every section, to read or to print. */
export function LegalPage({ text, operator }: { text: LegalText; operator: Operator }) {
  const { title, intro, sections } = text;
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-6xl grow gap-10 px-4 pt-12 pb-20 sm:px-8 lg:grid-cols-[16rem_minmax(0,42rem)] lg:gap-16">
        <div className="lg:col-span-2">
          <h1 className="text-3xl text-balance">{title}</h1>
          <p className="mt-4 max-w-2xl text-lg text-pretty text-muted">{intro}</p>
          <p className="mt-3 text-sm text-muted">{legalCopy.updated}</p>
        </div>
        <nav aria-label={legalCopy.contents} className="print:hidden">
          <ol className="grid lg:sticky lg:top-24">
            {sections.map((section, index) => (
              <li key={section.title}>
                <a
                  href={`#${anchor(index)}`}
                  className="flex min-h-11 items-center py-1 font-medium text-muted hover:text-violet lg:min-h-9"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="grid gap-10">
          {sections.map((section, index) => (
            <Section key={section.title} id={anchor(index)} section={section} />
          ))}
        </div>
      </main>
      <SiteFooter operator={operator} />
    </div>
  );
}

function anchor(index: number): string {
  return `section-${index + 1}`;
}

function Section({ id, section }: { id: string; section: LegalSection }) {
  const { title, paragraphs, list = [] } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-3 text-pretty">
          {paragraph}
        </p>
      ))}
      {list.length > 0 && (
        <ul className="mt-3 grid list-disc gap-2 pl-5">
          {list.map((item) => (
            <li key={item} className="text-pretty">
              {item}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
