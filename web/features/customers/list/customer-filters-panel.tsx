import type { ReactNode } from "react";
import { type CustomerFilters, customerFilters } from "#domain/schemas/customer-filters.ts";
import type { CustomerList } from "#domain/schemas/customers.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { LanguageOptions } from "../../../ui/forms/language-options.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { customersCopy } from "./customers.copy.ts";

const copy = customersCopy.filter;

type CustomerFiltersProps = {
  filters: CustomerFilters;
  stores: CustomerList["stores"];
  onFilters: (filters: CustomerFilters) => void;
};

const CONSENTS = { yes: true, no: false } as const;

/** Filters of the list, each change applied at once. */
export function CustomerFiltersPanel({ filters, stores, onFilters }: CustomerFiltersProps) {
  // Whatever the controls say goes through the same schema as the address.
  const change = (changed: Record<string, unknown>) => {
    const wanted = Object.fromEntries(
      Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined),
    );
    const judged = customerFilters.safeParse(wanted);
    if (judged.success) onFilters(judged.data);
  };
  const consent = filters.consent === undefined ? "all" : filters.consent ? "yes" : "no";
  const { search } = filters;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-5 shadow-card sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
      <Choice
        label={copy.consent}
        value={consent}
        onChange={(value) =>
          change({ consent: value === "yes" || value === "no" ? CONSENTS[value] : undefined })
        }
      >
        {Object.entries(copy.consents).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Choice>
      <Choice
        label={copy.rating}
        value={String(filters.rating ?? "all")}
        onChange={(value) => change({ rating: value === "all" ? undefined : Number(value) })}
      >
        {["all", "5", "4", "3", "2", "1", "0"].map((value) => (
          <option key={value} value={value}>
            {value in copy.ratings &&
              Object.entries(copy.ratings).find(([key]) => key === value)?.[1]}
          </option>
        ))}
      </Choice>
      <Choice
        label={copy.activity}
        value={filters.activity ?? "all"}
        onChange={(value) => change({ activity: value === "all" ? undefined : value })}
      >
        {["all", "7", "30", "90", "older"].map((value) => (
          <option key={value} value={value}>
            {Object.entries(copy.activities).find(([key]) => key === value)?.[1]}
          </option>
        ))}
      </Choice>
      <Choice
        label={copy.store}
        value={filters.store_id ?? ""}
        onChange={(value) => change({ store_id: value || undefined })}
      >
        <option value="">{copy.allStores}</option>
        {stores.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice
        label={copy.locale}
        value={filters.locale ?? ""}
        onChange={(value) => change({ locale: value || undefined })}
      >
        <option value="">{copy.allLocales}</option>
        <LanguageOptions />
      </Choice>
      <div className="sm:col-span-full">
        <Button
          variant="quiet"
          className="-ml-4"
          onClick={() => onFilters(search ? { search } : {})}
        >
          {copy.clear}
        </Button>
      </div>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
};

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <SelectInput {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {children}
        </SelectInput>
      )}
    </Field>
  );
}
