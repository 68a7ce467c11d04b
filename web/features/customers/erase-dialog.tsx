import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { customerFormCopy } from "./customer-form.copy.ts";
import { useEraseCustomer } from "./customers.mutations.ts";

const copy = customerFormCopy.erase;

type EraseDialogProps = { customer: CustomerDetail; onErased: () => void; onClose: () => void };

/** Names what will go, and what stays without a name, before a person is forgotten. */
export function EraseDialog({ customer, onErased, onClose }: EraseDialogProps) {
  const erase = useEraseCustomer();
  const going = [
    copy.identity,
    ...(customer.review_count > 0 ? [copy.reviews(customer.review_count)] : []),
    ...(customer.spin_count > 0 ? [copy.spins(customer.spin_count)] : []),
    ...(customer.points > 0 ? [copy.points(customer.points)] : []),
  ];
  const problem = erase.isError
    ? errorMessage(erase.error, { forbidden: copy.forbidden, unknown: copy.failed })
    : null;
  return (
    <ConfirmDialog
      title={copy.title(customer.name)}
      action={copy.action}
      busy={erase.isPending || erase.isSuccess}
      problem={problem}
      onConfirm={() => erase.mutate(customer.id, { onSuccess: onErased })}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{copy.text}</p>
        <ul className="grid list-disc gap-1 pl-5">
          {going.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {customer.open_codes > 0 && <p>{copy.codes(customer.open_codes)}</p>}
        <p>{copy.figures}</p>
      </div>
    </ConfirmDialog>
  );
}
