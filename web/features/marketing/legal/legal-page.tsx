import type { Operator } from "#domain/schemas/operator.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { SiteFooter } from "../../../ui/site-footer.tsx";
import { SiteHeader } from "../../../ui/site-header.tsx";
import {
  type LegalParagraph,
  type LegalSection,
  type LegalText,
  legalCopy,
  type OperatorWords,
} from "./legal.copy.ts";

/** A legal page: what it says first, its contents, then every section, to read or to print. */
export function LegalPage({ text, operator }: { text: LegalText; operator: Operator }) {
  const { title, intro, sections } = text;
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-6xl grow gap-10 px-4 pt-12 pb-20 sm:px-8 lg:grid-cols-[16rem_minmax(0,42rem)] lg:gap-16">
        <div className="lg:col-span-2">
          <h1 className="text-3xl text-balance hyphens-auto wrap-anywhere">{title}</h1>
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
            <Section key={section.title} id={anchor(index)} section={section} operator={operator} />
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

type SectionProps = { id: string; section: LegalSection; operator: Operator };

function Section({ id, section, operator }: SectionProps) {
  const { title, paragraphs, list = [], links = [] } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-4">
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {paragraphs.map((paragraph, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity but their place.
        <Paragraph key={index} paragraph={paragraph} operator={operator} />
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
      {links.map(({ label, href }) => (
        <p key={href} className="mt-2">
          <a
            href={href}
            className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
          >
            {label}
          </a>
        </p>
      ))}
    </section>
  );
}

type WordsProps = { part: OperatorWords; operator: Operator };

function Words({ part: { entry, words, otherwise }, operator }: WordsProps) {
  return (
    <DeploymentValue entry={entry} value={operator[entry]} otherwise={otherwise}>
      {words}
    </DeploymentValue>
  );
}

type ParagraphProps = { paragraph: LegalParagraph; operator: Operator };

function Paragraph({ paragraph, operator }: ParagraphProps) {
  const className = "mt-3 text-pretty";
  if (typeof paragraph === "string") return <p className={className}>{paragraph}</p>;
  if ("entry" in paragraph) {
    const { entry, words } = paragraph;
    return (
      <DeploymentValue entry={entry} value={operator[entry]}>
        {(value) => <p className={className}>{words(value)}</p>}
      </DeploymentValue>
    );
  }
  return (
    <p className={className}>
      {paragraph.map((part, index) =>
        typeof part === "string" ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
          <Words key={index} part={part} operator={operator} />
        ),
      )}
    </p>
  );
}
