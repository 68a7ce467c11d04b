import { ChevronDown } from "lucide-react";
import { OTHER_LANGUAGES } from "#domain/text/merchant-words.ts";
import { formatLanguage } from "../../lib/format.ts";
import type { TranslationValues } from "../../lib/translation-values.ts";
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

/** The optional translations of a text, folded until somebody wants them. */
export function TranslationFields({ title, text, values, most, onChange }: TranslationFieldsProps) {
  const filled = OTHER_LANGUAGES.filter((language) => values[language].trim() !== "");
  const isTooLong = OTHER_LANGUAGES.some((language) => values[language].trim().length > most);
  return (
    <details
      // A mistake that keeps the form from being saved is never hidden.
      open={isTooLong || undefined}
      className="group rounded-field border-[1.5px] border-line"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        <span className="grow">{title ?? copy.title}</span>
        {filled.length > 0 && (
          <span className="text-base font-normal text-muted">
            {copy.filled(filled.length, OTHER_LANGUAGES.length)}
          </span>
        )}
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="grid items-start gap-4 px-4 pt-1 pb-4 sm:grid-cols-2">
        <p className="text-sm text-muted sm:col-span-2">{copy.hint}</p>
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
