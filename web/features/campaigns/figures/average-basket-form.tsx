import { euroText } from "../../../lib/read-cents.ts";
import { useMay } from "../../../lib/use-may.ts";
import { AmountForm } from "../../../ui/forms/amount-form.tsx";
import { campaignFiguresCopy } from "./campaign-figures.copy.ts";
import { basketFailure, useSaveBasket } from "./campaign-figures.mutations.ts";
import { readBasket } from "./read-basket.ts";

const copy = campaignFiguresCopy.basket;

type AverageBasketFormProps = { storeId: string; storeName: string; basket: number | null };

/** Average amount that a customer spends on a visit. */
export function AverageBasketForm({ storeId, storeName, basket }: AverageBasketFormProps) {
  const save = useSaveBasket(storeId, basket);
  if (!useMay().may("stores.write")) return null;
  return (
    <AmountForm
      copy={copy}
      hint={copy.hint(storeName)}
      text={euroText(basket)}
      read={readBasket}
      save={save}
      failure={basketFailure}
    />
  );
}
