import { Check, CircleAlert, X } from "lucide-react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../../ui/field.tsx";
import { SegmentSpinner } from "../../ui/segment-spinner.tsx";
import { onboardingCopy } from "./onboarding.copy.ts";
import type { SlugKind } from "./onboarding.queries.ts";
import { useSlugCheck } from "./use-slug-check.ts";

const copy = onboardingCopy.slug;

type SlugFieldProps = {
  kind: SlugKind;
  label: string;
  hint: string;
  /** What stands before the slug in the address. */
  prefix?: string;
  /** The slug as it is typed now. */
  value: string;
  /** The slug that the thing has already. */
  own?: string | null;
  error: string | undefined;
  field: UseFormRegisterReturn;
};

/** A slug with a word on whether it is free, said as soon as the typing pauses. */
export function SlugField(props: SlugFieldProps) {
  const { kind, label, hint, prefix, value, own = null, error, field } = props;
  const state = useSlugCheck(kind, value.trim(), own);
  const isAddress = kind === "organization";
  const taken = isAddress ? copy.takenOrganization : copy.takenStore;
  const free = isAddress ? copy.freeOrganization : copy.freeStore;
  const words = {
    blank: null,
    malformed: null,
    checking: {
      text: copy.checking,
      tint: "text-muted",
      icon: <SegmentSpinner className="size-4" />,
    },
    free: {
      text: free,
      tint: "text-mint-ink",
      icon: <Check aria-hidden="true" className="size-4" />,
    },
    taken: {
      text: taken,
      tint: "text-coral-ink",
      icon: <X aria-hidden="true" className="size-4" />,
    },
    unknown: {
      text: copy.unknown,
      tint: "text-muted",
      icon: <CircleAlert aria-hidden="true" className="size-4" />,
    },
  }[state];
  const problem = error ?? (state === "malformed" ? copy.malformed : undefined);

  return (
    <div className="grid gap-1.5">
      <Field label={label} hint={hint} error={problem} invalid={state === "taken"}>
        {(control) => (
          <div className="flex overflow-clip rounded-field border-[1.5px] border-field bg-surface has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet has-aria-invalid:border-coral">
            {prefix && (
              <span aria-hidden="true" className="grid place-items-center pl-3.5 text-muted">
                {prefix}
              </span>
            )}
            <input
              {...control}
              {...field}
              autoCapitalize="none"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              className={`min-h-12 w-full min-w-0 bg-transparent pr-3.5 text-base outline-none ${prefix ? "pl-0.5" : "pl-3.5"}`}
            />
          </div>
        )}
      </Field>
      <p
        role="status"
        className={`flex min-h-5 items-center gap-1.5 text-sm font-medium ${words?.tint ?? ""}`}
      >
        {words?.icon}
        {words?.text}
      </p>
    </div>
  );
}
