import { useState } from "react";
import type { CustomerItem } from "#domain/schemas/customers.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useCsvExport } from "../../lib/use-csv-export.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
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
  const [isAsked, setIsAsked] = useState(false);
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
        <Button variant="secondary" onClick={() => setIsAsked(true)}>
          {copy.withdraw}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={copy.withdrawTitle(consenting.length)}
          action={copy.withdraw}
          busy={withdrawing.isPending}
          problem={withdrawing.isError ? errorMessage(withdrawing.error) : null}
          onConfirm={() =>
            withdrawing.mutate(
              consenting.map(({ id }) => id),
              { onSuccess: onDone },
            )
          }
          onClose={() => setIsAsked(false)}
        >
          {copy.withdrawText}
        </ConfirmDialog>
      )}
    </>
  );
}
