import { useNavigate } from "@tanstack/react-router";
import { Gift, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { CustomerDetail } from "#domain/schemas/customers.ts";
import { useMay } from "../../lib/use-may.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { LanguageMark } from "../../ui/language-mark.tsx";
import { customerDetailCopy as copy } from "./customer-detail.copy.ts";
import { EraseDialog } from "./erase-dialog.tsx";
import { SpendDialog } from "./spend-dialog.tsx";

type CustomerHeaderProps = { customer: CustomerDetail; isEditing: boolean; onEdit: () => void };

/** Who this is, and what can be done about it by whoever looks. */
export function CustomerHeader({ customer, isEditing, onEdit }: CustomerHeaderProps) {
  const { may } = useMay();
  const [isErasing, setIsErasing] = useState(false);
  const [isSpending, setIsSpending] = useState(false);
  const navigate = useNavigate();
  return (
    <header className="grid gap-3">
      <BackLink to="/customers" label={copy.back} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid min-w-0 gap-1.5">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{customer.name}</h1>
          <p className="flex flex-wrap items-center gap-3 text-muted">
            <span>{copy.subtitle}</span>
            <LanguageMark locale={customer.locale} />
            {customer.consent && <Badge tone="good">{copy.consentBadge}</Badge>}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {may("customers.delete") && (
            <Button variant="secondary" onClick={() => setIsErasing(true)}>
              <Trash2 aria-hidden="true" className="size-5" />
              {copy.erase}
            </Button>
          )}
          {may("codes.redeem") && customer.points > 0 && (
            <Button variant="secondary" onClick={() => setIsSpending(true)}>
              <Gift aria-hidden="true" className="size-5" />
              {copy.spend.open}
            </Button>
          )}
          {may("customers.write") && !isEditing && (
            <Button onClick={onEdit}>
              <Pencil aria-hidden="true" className="size-5" />
              {copy.edit}
            </Button>
          )}
        </div>
      </div>
      {isSpending && <SpendDialog customer={customer} onClose={() => setIsSpending(false)} />}
      {isErasing && (
        <EraseDialog
          customer={customer}
          onErased={() => navigate({ to: "/customers", replace: true, ignoreBlocker: true })}
          onClose={() => setIsErasing(false)}
        />
      )}
    </header>
  );
}
