import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { storesCopy } from "./stores.copy.ts";

/** Title of a page about one store, with the way back to the list. */
export function StoreHeader({ title }: { title: string }) {
  return (
    <header className="grid gap-3">
      <Link
        to="/stores"
        className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-5" />
        {storesCopy.back}
      </Link>
      <h1 className="min-w-0 text-3xl break-words">{title}</h1>
    </header>
  );
}
