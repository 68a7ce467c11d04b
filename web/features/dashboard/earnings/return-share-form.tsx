import { useMay } from "../../../lib/use-may.ts";
import { AmountForm } from "../../../ui/forms/amount-form.tsx";
import { dashboardCopy } from "../dashboard.copy.ts";
import { assumptionFailure, useSaveReturnShare } from "./assumptions.mutations.ts";

const copy = dashboardCopy.earnings.share;

/** A share as it was typed, « 80 » or « 80 % »; undefined of what is none. */
function readShare(typed: string): number | undefined {
  const text = typed.replaceAll(/[\s%]/g, "");
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : undefined;
}

/** How many of a hundred codes used brought their customer back, for whoever may change the organisation. */
export function ReturnShareForm({ orgId, share }: { orgId: string; share: number }) {
  const save = useSaveReturnShare(orgId, share);
  if (!useMay().may("organization.update")) return null;
  return (
    <AmountForm
      name="return share"
      copy={copy}
      hint={copy.hint}
      text={String(share)}
      read={readShare}
      save={save}
      failure={(error) => assumptionFailure(error, copy)}
    />
  );
}
