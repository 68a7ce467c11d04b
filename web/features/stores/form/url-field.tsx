import type { UseFormRegisterReturn } from "react-hook-form";
import { ReviewLinkField } from "../../../ui/forms/review-link-field.tsx";
import { storeFormCopy as copy } from "./store-form.copy.ts";

type UrlFieldProps = {
  field: UseFormRegisterReturn;
  value: { url: string; confirmedHost: string };
  errors: { url?: { message?: string }; confirmedHost?: { message?: string } };
  onConfirm: (host: string) => void;
};

/** Address of the store's public reviews. */
export function UrlField({ field, value, errors, onConfirm }: UrlFieldProps) {
  return (
    <ReviewLinkField
      label={copy.url}
      hint={copy.urlHint}
      placeholder={copy.urlPlaceholder}
      field={field}
      value={value.url}
      error={errors.url?.message}
      confirmed={value.confirmedHost}
      onConfirm={onConfirm}
      confirmError={errors.confirmedHost?.message}
    />
  );
}
