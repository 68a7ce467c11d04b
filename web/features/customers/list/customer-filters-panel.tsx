import { type CustomerFilters, customerFilters } from "#domain/schemas/customer-filters.ts";
import type { CustomerList } from "#domain/schemas/customers.ts";
import { narrow } from "../../../lib/lists/narrow.ts";
import { Button } from "../../../ui/button.tsx";
import { LanguageOptions } from "../../../ui/forms/language-options.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectField } from "../../../ui/forms/select-field.tsx";
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
  const change = (changed: Record<string, unknown>) => {
    const narrowed = narrow(customerFilters, filters, changed);
    if (narrowed) onFilters(narrowed);
  };
  const consent = filters.consent === undefined ? "all" : filters.consent ? "yes" : "no";
  const { search } = filters;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-5 shadow-card sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
      <SelectField
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
      </SelectField>
      <SelectField
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
      </SelectField>
      <SelectField
        label={copy.activity}
        value={filters.activity ?? "all"}
        onChange={(value) => change({ activity: value === "all" ? undefined : value })}
      >
        {["all", "7", "30", "90", "older"].map((value) => (
          <option key={value} value={value}>
            {Object.entries(copy.activities).find(([key]) => key === value)?.[1]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={copy.store}
        value={filters.store_id ?? ""}
        onChange={(value) => change({ store_id: value || undefined })}
      >
        <option value="">{copy.allStores}</option>
        <NamedOptions of={stores} />
      </SelectField>
      <SelectField
        label={copy.locale}
        value={filters.locale ?? ""}
        onChange={(value) => change({ locale: value || undefined })}
      >
        <option value="">{copy.allLocales}</option>
        <LanguageOptions />
      </SelectField>
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
