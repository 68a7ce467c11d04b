import { type ReviewFilters, type ReviewInbox, reviewFilters } from "#domain/schemas/reviews.ts";
import { narrow } from "../../../lib/lists/narrow.ts";
import { Button } from "../../../ui/button.tsx";
import { LanguageOptions } from "../../../ui/forms/language-options.tsx";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { SelectField } from "../../../ui/forms/select-field.tsx";
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
  const change = (changed: Record<string, unknown>) => {
    const narrowed = narrow(reviewFilters, filters, changed);
    if (narrowed) onFilters(narrowed);
  };
  const { search, state } = filters;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card sm:grid-cols-2 lg:grid-cols-1">
      <SelectField
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
      </SelectField>
      {unfiltered.campaign_id === undefined && (
        <>
          <SelectField
            label={copy.store}
            value={filters.store_id ?? ""}
            onChange={(value) => change({ store_id: value || undefined })}
          >
            <option value="">{copy.everyStore}</option>
            <NamedOptions of={list.stores} />
          </SelectField>
          <SelectField
            label={copy.campaign}
            value={filters.campaign_id ?? ""}
            onChange={(value) => change({ campaign_id: value || undefined })}
          >
            <option value="">{copy.everyCampaign}</option>
            <NamedOptions of={list.campaigns} />
          </SelectField>
        </>
      )}
      <SelectField
        label={copy.locale}
        value={filters.locale ?? ""}
        onChange={(value) => change({ locale: value || undefined })}
      >
        <option value="">{copy.everyLocale}</option>
        <LanguageOptions />
      </SelectField>
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
