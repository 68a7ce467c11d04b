import { type ReactNode, useEffect, useState } from "react";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { hasRecord, recordKey } from "./storage.ts";

type Remembered = typeof import("./remembered.tsx").Remembered;

type PhoneMemoryProps = { campaign: PublicCampaign; children: ReactNode };

/**
 * The first step, unless this phone has played: then that is said before anything is asked. Waiting prizes are above the
 * step. Known from the phone's own memory, which no server is asked about; what shows it is loaded when there is any.
 */
export function PhoneMemory({ campaign, children }: PhoneMemoryProps) {
  const [Remembered, setRemembered] = useState<Remembered | null>(null);
  const [isOpen, setIsOpen] = useState(true);

  useEffect(() => {
    const knows = (kind: string) => hasRecord("phone", recordKey(campaign.id, kind));
    if (!["prizes", "played", "wallet"].some(knows)) return;
    import("./remembered.tsx").then(
      (loaded) => {
        setRemembered(() => loaded.Remembered);
        setIsOpen(!loaded.stops(campaign));
      },
      () => {},
    );
  }, [campaign]);

  return (
    <>
      {Remembered && <Remembered campaign={campaign} isOpen={isOpen} open={setIsOpen} />}
      {isOpen && children}
    </>
  );
}
