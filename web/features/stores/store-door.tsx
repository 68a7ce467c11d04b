import { ExternalLink } from "lucide-react";
import { useId } from "react";
import type { StoreItem } from "#domain/schemas/stores.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { storesCopy as copy } from "./stores.copy.ts";

/** The public review page of a store's newest running campaign; without one, why it is closed. */
export function StoreDoor({ store }: { store: StoreItem }) {
  const reason = useId();
  const icon = <ExternalLink aria-hidden="true" className="size-5" />;
  if (store.slug) {
    return (
      <a
        href={`/c/${store.slug}/review`}
        target="_blank"
        rel="noreferrer"
        aria-label={copy.doorOf(store.name)}
        className={`${buttonClass({ variant: "secondary" })} justify-self-start`}
      >
        {icon}
        {copy.door}
      </a>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" waiting aria-describedby={reason}>
        {icon}
        {copy.door}
      </Button>
      <p id={reason} className="text-muted">
        {copy.closed[store.closed ?? "none_running"]}
      </p>
    </div>
  );
}
