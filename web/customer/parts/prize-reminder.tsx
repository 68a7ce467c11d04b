import { useEffect, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { hasRecord, recordKey } from "./storage.ts";

type KeptPrizesModule = typeof import("../kept-prizes.tsx");

/** Room for the prizes that wait on this phone; what shows them is loaded when there are any. */
export function PrizeReminder({ campaign }: { campaign: PublicCampaign }) {
  const [module, setModule] = useState<KeptPrizesModule | null>(null);

  useEffect(() => {
    if (!hasRecord("phone", recordKey(campaign.id, "prizes"))) return;
    import("../kept-prizes.tsx").then(setModule, () => {});
  }, [campaign.id]);

  return module === null ? null : <module.KeptPrizes campaign={campaign} />;
}
