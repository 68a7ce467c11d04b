import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { proposedTranslations } from "#domain/rules/proposed-words.ts";
import { OTHER_LANGUAGES } from "#domain/text/merchant-words.ts";
import { formatLanguage } from "../../lib/format.ts";
import type { TranslationValues } from "../../lib/translation-values.ts";
import { Button } from "../button.tsx";
import { Field } from "./field.tsx";
import { TextInput } from "./text-input.tsx";
import { translationFieldsCopy as copy } from "./translation-fields.copy.ts";

export type TranslationFieldsProps = {
  /** Subject of the translations, where that is not plain from its place. */
  title?: string;
  /** The merchant's own text, which customers read in the other languages. */
  text: string;
  values: TranslationValues;
  /** Most characters of each. */
  most: number;
  onChange: (values: TranslationValues) => void;
};

/** Our translations of proposed texts, fetched when the fold opens; null until then, and without network. */
function useProposals() {
  const [proposals, setProposals] = useState<typeof proposedTranslations | null>(null);
  const load = () =>
    import("#domain/rules/proposed-words.ts").then(
      (words) => setProposals(() => words.proposedTranslations),
      () => {},
    );
  return { proposals, load };
}

/** The optional translations of a text, folded until they are opened. */
export function TranslationFields({ title, text, values, most, onChange }: TranslationFieldsProps) {
  const { proposals, load } = useProposals();
  const proposed = proposals?.(text) ?? {};
  const blank = OTHER_LANGUAGES.filter((language) => values[language].trim() === "");
  const isProposed = blank.some((language) => proposed[language] !== undefined);
  const fill = () => {
    const added = blank.map((language) => [language, proposed[language] ?? ""] as const);
    onChange({ ...values, ...Object.fromEntries(added) });
  };
  const isTooLong = OTHER_LANGUAGES.some((language) => values[language].trim().length > most);
  return (
    <details
      // A mistake that keeps the form from being saved is never hidden.
      open={isTooLong || undefined}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void load();
      }}
      className="group rounded-field border-[1.5px] border-line"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        <span className="grow">{title ?? copy.title}</span>
        {blank.length < OTHER_LANGUAGES.length && (
          <span className="shrink-0 text-base font-normal text-muted">
            {copy.filled(OTHER_LANGUAGES.length - blank.length, OTHER_LANGUAGES.length)}
          </span>
        )}
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="grid items-start gap-4 px-4 pt-1 pb-4 sm:grid-cols-2">
        <p className="text-sm text-muted sm:col-span-2">{copy.hint}</p>
        {isProposed && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-field bg-violet-soft px-4 py-3 sm:col-span-2">
            <p className="min-w-0 flex-1 basis-60">{copy.proposal}</p>
            <Button
              variant="secondary"
              onClick={({ currentTarget }) => {
                // The button is about to disappear: the focus goes to the first of the fields instead.
                currentTarget.closest("details")?.querySelector("input")?.focus();
                fill();
              }}
            >
              {copy.fill}
            </Button>
          </div>
        )}
        {OTHER_LANGUAGES.map((language) => (
          <Field
            key={language}
            label={formatLanguage(language)}
            error={values[language].trim().length > most ? copy.tooLong(most) : undefined}
          >
            {(control) => (
              <TextInput
                {...control}
                lang={language}
                value={values[language]}
                placeholder={text}
                maxLength={most}
                autoComplete="off"
                onChange={(event) => onChange({ ...values, [language]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}
