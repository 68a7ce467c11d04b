import { useQuery } from "@tanstack/react-query";
import { QrCode } from "lucide-react";
import { useEffect, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { Button } from "../../../ui/button.tsx";
import { presenceCopy as copy } from "./presence.copy.ts";
import { presenceBoardQuery } from "./presence.queries.ts";
import type { PresenceDialog } from "./presence-dialog.tsx";

type PresenceButtonProps = { storeId: string; store: string };

/** Opens what customers have to see, where a campaign of this store asks them for it. */
export function PresenceButton({ storeId, store }: PresenceButtonProps) {
  const { supabase } = useApp();
  const board = useQuery(presenceBoardQuery(supabase, storeId));
  const [isOpen, setIsOpen] = useState(false);
  const [Dialog, setDialog] = useState<typeof PresenceDialog | null>(null);
  const isAsked = board.data !== undefined && board.data.campaigns.length > 0;
  useEffect(() => {
    if (!isAsked) return;
    import("./presence-dialog.tsx").then(
      (loaded) => setDialog(() => loaded.PresenceDialog),
      () => {},
    );
  }, [isAsked]);
  // The midnight of the store changes the word.
  const { refetch } = board;
  const dayEndsInMs = board.data?.day_ends_in_ms;
  useEffect(() => {
    if (dayEndsInMs === undefined) return;
    const timer = setTimeout(() => refetch(), dayEndsInMs + 1000);
    return () => clearTimeout(timer);
  }, [dayEndsInMs, refetch]);
  if (!isAsked || Dialog === null) return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <QrCode aria-hidden="true" className="size-5" />
        {copy.open}
      </Button>
      {isOpen && <Dialog board={board.data} store={store} onClose={() => setIsOpen(false)} />}
    </>
  );
}
