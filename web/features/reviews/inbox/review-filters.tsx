import type { ReactNode } from "react";
import { type ReviewFilters, type ReviewInbox, reviewFilters } from "#domain/schemas/reviews.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { LanguageOptions } from "../../../ui/forms/language-options.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { Switch } from "../../../ui/forms/switch.tsx";
import { reviewsCopy } from "../reviews.copy.ts";

const copy = reviewsCopy.filter;

type ReviewFiltersProps = {
  filters: ReviewFilters;
  /**
   * Filters that remain when all are cleared: the campaign whose inbox it is, which then is no
   * choice either.
   */
  unfiltered: ReviewFilters;
  list: Pick<ReviewInbox, "stores" | "campaigns">;
  onFilters: (filters: ReviewFilters) => void;
};

/** Filters of the list, each change applied at once. */
export function ReviewFiltersPanel({ filters, unfiltered, list, onFilters }: ReviewFiltersProps) {
  // Whatever the controls say goes through the same schema as the address.
  const change = (changed: Record<string, unknown>) => {
    const wanted = Object.fromEntries(
      Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined),
    );
    const judged = reviewFilters.safeParse(wanted);
    if (judged.success) onFilters(judged.data);
  };
  const { search, state } = filters;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:grid-cols-1">
      <Choice
        label={copy.rating}
        value={String(filters.rating ?? "")}
        onChange={(value) => change({ rating: value ? Number(value) : undefined })}
      >
        <option value="">{copy.everyRating}</option>
        {[1, 2, 3, 4, 5].map((rating) => (
          <option key={rating} value={rating}>
            {copy.stars(rating)}
          </option>
        ))}
      </Choice>
      {unfiltered.campaign_id === undefined && (
        <>
          <Choice
            label={copy.store}
            value={filters.store_id ?? ""}
            onChange={(value) => change({ store_id: value || undefined })}
          >
            <option value="">{copy.everyStore}</option>
            <Names of={list.stores} />
          </Choice>
          <Choice
            label={copy.campaign}
            value={filters.campaign_id ?? ""}
            onChange={(value) => change({ campaign_id: value || undefined })}
          >
            <option value="">{copy.everyCampaign}</option>
            <Names of={list.campaigns} />
          </Choice>
        </>
      )}
      <Choice
        label={copy.locale}
        value={filters.locale ?? ""}
        onChange={(value) => change({ locale: value || undefined })}
      >
        <option value="">{copy.everyLocale}</option>
        <LanguageOptions />
      </Choice>
      <div className="grid content-end gap-2">
        <Switch
          hasText
          label={copy.text}
          checked={filters.with_text === true}
          onChange={(isOn) => change({ with_text: isOn || undefined })}
        />
        <Switch
          hasText
          label={copy.mine}
          checked={filters.mine === true}
          onChange={(isOn) => change({ mine: isOn || undefined })}
        />
      </div>
      <div className="sm:col-span-full">
        <Button
          variant="quiet"
          onClick={() =>
            onFilters({ ...unfiltered, ...(search && { search }), ...(state && { state }) })
          }
        >
          {copy.clear}
        </Button>
      </div>
    </div>
  );
}

function Names({ of: list }: { of: readonly { id: string; name: string }[] }) {
  return list.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
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
