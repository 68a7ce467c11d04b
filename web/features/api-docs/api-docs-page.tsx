import { FileJson } from "lucide-react";
import type { ReactNode } from "react";
import { apiCopy } from "#domain/schemas/api-description.copy.ts";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { SiteFooter } from "../../ui/site-footer.tsx";
import { SiteHeader } from "../../ui/site-header.tsx";
import { apiDocsCopy as copy, type DocsSection } from "./api-docs.copy.ts";

/** `/docs/api`: how a merchant's own programs speak to Tournavis. */
export function ApiDocsPage({ member }: { member: ReactNode }) {
  const { config } = useApp();
  usePageTitle(copy.title);
  const sections = copy.sections(window.location.origin);
  const contents = [
    ...sections.map(({ id, title }) => ({ id, title })),
    { id: "tables", title: copy.tables },
    { id: "refus", title: copy.refusals },
  ];
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader member={member} />
      <main className="mx-auto grid w-full max-w-6xl grow grid-cols-1 wrap-anywhere gap-10 px-4 pt-12 pb-20 sm:px-8 lg:grid-cols-[16rem_minmax(0,46rem)] lg:gap-16">
        <div className="grid justify-items-start gap-4 lg:col-span-2">
          <h1 className="text-2xl text-balance sm:text-3xl">{copy.title}</h1>
          <p className="max-w-2xl text-lg text-pretty text-muted">{copy.intro}</p>
          <a href="/openapi.json" className={buttonClass({ variant: "secondary" })}>
            <FileJson aria-hidden="true" className="size-5" />
            {copy.openApi}
          </a>
        </div>
        <nav aria-label={copy.contents}>
          <ol className="grid lg:sticky lg:top-24">
            {contents.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center py-1 font-medium text-muted hover:text-violet lg:min-h-9"
                >
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="grid min-w-0 grid-cols-1 gap-12">
          {sections.map((section) => (
            <Section key={section.id} {...section} />
          ))}
          <Facts
            id="tables"
            title={copy.tables}
            text={copy.tablesText}
            heads={[copy.table, copy.holds]}
            rows={Object.entries(apiCopy.tables)}
          />
          <Facts
            id="refus"
            title={copy.refusals}
            text={copy.refusalsText}
            heads={[copy.status, copy.meaning]}
            rows={Object.entries({ ...apiCopy.refusals, ...copy.otherRefusals })}
          />
        </div>
      </main>
      <SiteFooter operator={config.operator} />
    </div>
  );
}

function Section({ id, title, paragraphs, examples = [] }: DocsSection) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-4 grid-cols-1 gap-4"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="text-pretty">
          {paragraph}
        </p>
      ))}
      {examples.map(({ label, code }) => (
        <CodeExample key={label} label={label} code={code} subject={title} />
      ))}
    </section>
  );
}

type FactsProps = {
  id: string;
  title: string;
  text?: string;
  heads: readonly [string, string];
  rows: readonly (readonly [string, string])[];
};

function Facts({ id, title, text, heads, rows }: FactsProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-4 grid-cols-1 gap-4"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {text && <p className="text-pretty">{text}</p>}
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line">
            {heads.map((head) => (
              <th key={head} scope="col" className="min-w-18 py-2 pr-4 font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, meaning]) => (
            <tr key={name} className="border-b border-line align-top">
              <th
                scope="row"
                className="min-w-18 py-2 pr-4 font-mono text-sm font-medium break-all"
              >
                {name}
              </th>
              <td className="py-2 text-pretty">{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type CodeExampleProps = { label: string; code: string; subject: string };

/** An example to copy; wide lines scroll within it, by keyboard too. */
function CodeExample({ label, code, subject }: CodeExampleProps) {
  return (
    <figure className="grid min-w-0 grid-cols-1 gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-3">
        <span className="font-semibold">{label}</span>
        <CopyButton
          text={code}
          label={copy.copy}
          copied={copy.copied}
          subject={`${subject}, ${label}`}
        />
      </figcaption>
      <section
        aria-label={`${subject}, ${label}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-field border border-line bg-surface p-4"
      >
        <pre className="font-mono text-sm leading-relaxed">
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
