import { Check, CircleAlert, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { SlugKind } from "../../lib/slugs/free-slug.ts";
import { type SlugOwner, useSlugCheck } from "../../lib/slugs/use-slug-check.ts";
import type { SuggestedSlug } from "../../lib/slugs/use-suggested-slug.ts";
import { Button } from "../button.tsx";
import { SegmentSpinner } from "../states/segment-spinner.tsx";
import { Field } from "./field.tsx";
import { slugFieldCopy as copy } from "./slug-field.copy.ts";

type SlugFieldProps = {
  kind: SlugKind;
  label: string;
  hint?: string | undefined;
  /** Address before the slug. */
  prefix?: string;
  /** The slug as it is typed now. */
  value: string;
  /** Owner of the slug, when that exists already. */
  owner?: SlugOwner | null;
  error: string | undefined;
  field: UseFormRegisterReturn;
  /** Where the slug follows a name: while it was not edited by hand, a free one is taken without asking. */
  suggested?: SuggestedSlug;
  /** Takes over the free slug that is offered for one that was typed and is taken. */
  onTake: (slug: string) => void;
};

/** A slug with a word on whether it is free, said as soon as the typing pauses. */
export function SlugField(props: SlugFieldProps) {
  const { kind, label, hint, prefix, value, owner = null, error, field, suggested, onTake } = props;
  const check = useSlugCheck(kind, value.trim(), owner, error);
  const { suggestion } = check;
  const isReplaced = suggested?.isSuggested === true && (check.isSearching || suggestion !== null);
  const state = isReplaced ? "checking" : check.state;
  const replacement = isReplaced ? suggestion : null;
  const replace = useEffectEvent((free: string) => suggested?.replace(free));
  useEffect(() => {
    if (replacement !== null) replace(replacement);
  }, [replacement]);
  const place = useRef<HTMLDivElement>(null);
  const words = {
    blank: null,
    malformed: null,
    checking: {
      text: copy.checking,
      tint: "text-muted",
      icon: <SegmentSpinner className="size-4" />,
    },
    free: {
      text: copy.free[kind],
      tint: "text-mint-ink",
      icon: <Check aria-hidden="true" className="size-4" />,
    },
    taken: {
      text: copy.taken[kind],
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
  const take = (slug: string) => {
    onTake(slug);
    // The button goes with what it offered.
    place.current?.querySelector("input")?.focus();
  };

  return (
    <div ref={place} className="grid gap-1.5">
      <Field label={label} hint={hint} error={problem} invalid={state === "taken"}>
        {(control) => (
          <div className="flex overflow-clip rounded-field border-[1.5px] border-field bg-surface has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-violet has-aria-invalid:border-coral">
            {prefix && (
              <span
                aria-hidden="true"
                className="grid shrink-0 place-items-center pl-3.5 text-muted"
              >
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
      {suggestion !== null && !isReplaced && (
        <div className="mb-2">
          <Button
            variant="secondary"
            className="max-w-full wrap-anywhere"
            onClick={() => take(suggestion)}
          >
            {copy.take(suggestion)}
          </Button>
        </div>
      )}
    </div>
  );
}
