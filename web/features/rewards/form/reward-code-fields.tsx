import type { UseFormReturn } from "react-hook-form";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { codeExample } from "./code-example.ts";
import { FormSection } from "./form-section.tsx";
import type { RewardValues } from "./reward.schema.ts";
import { rewardFormCopy } from "./reward-form.copy.ts";

const { fields: copy, sections } = rewardFormCopy;

/** How its codes look, with an example that follows the typing. Points have none. */
export function RewardCodeFields({ form }: { form: UseFormReturn<RewardValues> }) {
  const { register, formState, watch } = form;
  if (watch("type") === "points") return null;
  return (
    <FormSection title={sections.code}>
      <div className="grid gap-3 sm:col-span-2">
        <Field
          label={copy.codeTemplate}
          hint={copy.codeTemplateHint}
          error={formState.errors.codeTemplate?.message}
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("codeTemplate")}
              maxLength={40}
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        <p aria-live="polite" className="text-muted">
          {copy.codeExample}{" "}
          <code className="font-sans font-bold tracking-[0.06em] text-ink wrap-anywhere">
            {codeExample(watch("codeTemplate"))}
          </code>
        </p>
      </div>
    </FormSection>
  );
}
