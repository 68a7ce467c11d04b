import { CopyButton } from "../../ui/copy-button.tsx";
import { apiDocsCopy as copy } from "./api-docs.copy.ts";

type CodeExampleProps = { label: string; code: string; subject: string };

/** An example to copy; wide lines scroll within it, by keyboard too. */
export function CodeExample({ label, code, subject }: CodeExampleProps) {
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
