import type { CustomerItem } from "#domain/schemas/customers.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useCsvExport } from "../../lib/lists/use-csv-export.ts";
import { useMay } from "../../lib/use-may.ts";
import { SelectionAction } from "../../ui/list-table/selection-action.tsx";
import { ExportButton } from "../../ui/lists/export-button.tsx";
import { customersCopy } from "./customers.copy.ts";
import { useWithdrawConsents } from "./customers.mutations.ts";

const copy = customersCopy.selection;

type CustomerSelectionProps = {
  orgId: string;
  canExport: boolean;
  selected: readonly CustomerItem[];
  onDone: () => void;
};

/**
 * What can be done with the customers that are ticked. A consent can be withdrawn for many at once, and given by nobody but
 * the person it is about.
 */
export function CustomerSelection({ orgId, canExport, selected, onDone }: CustomerSelectionProps) {
  const exporting = useCsvExport(customersCopy.exportName);
  const withdrawing = useWithdrawConsents(orgId);
  const mayWrite = useMay().may("customers.write");
  const ids = selected.map(({ id }) => id);
  const consenting = selected.filter((customer) => customer.consent_marketing);
  return (
    <>
      <ExportButton
        label={copy.export}
        isIncluded={canExport}
        notIncluded={customersCopy.exportNotIncluded}
        busy={exporting.isPending}
        problem={exporting.isError ? errorMessage(exporting.error) : null}
        onExport={() => exporting.mutate({ type: "customers", org_id: orgId, filters: { ids } })}
      />
      {mayWrite && consenting.length > 0 && (
        <SelectionAction
          action={copy.withdraw}
          question={{ title: copy.withdrawTitle(consenting.length), text: copy.withdrawText }}
          ids={consenting.map(({ id }) => id)}
          mutation={withdrawing}
          onDone={onDone}
        />
      )}
    </>
  );
}
