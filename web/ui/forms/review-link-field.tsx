import { TriangleAlert } from "lucide-react";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { hostToConfirm } from "#domain/rules/review-links.ts";
import { Field } from "./field.tsx";
import { reviewLinkFieldCopy as copy } from "./review-link-field.copy.ts";
import { TextInput } from "./text-input.tsx";

type ReviewLinkFieldProps = {
  label: string;
  hint: string;
  placeholder: string;
  field: UseFormRegisterReturn;
  /** Value of the field. */
  value: string;
  error: string | undefined;
  /** Host that was confirmed; empty without. */
  confirmed: string;
  onConfirm: (host: string) => void;
  confirmError: string | undefined;
};

/** Where the store's public reviews are; an unknown host must be confirmed. */
export function ReviewLinkField(props: ReviewLinkFieldProps) {
  const { label, hint, placeholder, field, value, error } = props;
  const host = hostToConfirm(value.trim());
  return (
    <div className="grid gap-3">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <TextInput
            {...control}
            {...field}
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={placeholder}
          />
        )}
      </Field>
      {host && <UnknownHost {...props} host={host} />}
    </div>
  );
}

function UnknownHost({
  host,
  confirmed,
  onConfirm,
  confirmError,
}: Pick<ReviewLinkFieldProps, "confirmed" | "onConfirm" | "confirmError"> & { host: string }) {
  const id = useId();
  return (
    <div className="grid gap-3 rounded-field bg-sun-soft px-4 py-3 text-ink">
      <div role="status" className="flex gap-3">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <div className="grid min-w-0 gap-1 text-pretty">
          <p className="font-semibold wrap-anywhere">{copy.unknown(host)}</p>
          <p>{copy.risk}</p>
        </div>
      </div>
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
        <input
          type="checkbox"
          checked={confirmed === host}
          onChange={(event) => onConfirm(event.target.checked ? host : "")}
          aria-describedby={confirmError ? `${id}-trail ${id}-error` : `${id}-trail`}
          aria-invalid={confirmError ? true : undefined}
          className="size-5 shrink-0"
        />
        <span className="min-w-0 wrap-anywhere">{copy.confirm(host)}</span>
      </label>
      <p id={`${id}-trail`} className="text-sm">
        {copy.trail}
      </p>
      {confirmError && (
        <p id={`${id}-error`} className="text-sm font-medium text-coral-ink">
          {confirmError}
        </p>
      )}
    </div>
  );
}
