import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page-header.tsx";
import { rewardsCopy } from "./rewards.copy.ts";

type HeaderProps = { title: string; children?: ReactNode };

/** Title of a page about one reward, with the way back to the list. */
export function RewardPageHeader({ title, children }: HeaderProps) {
  return (
    <header className="grid gap-3">
      <Link
        to="/rewards"
        className="inline-flex min-h-11 items-center gap-2 justify-self-start font-semibold text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-5" />
        {rewardsCopy.back}
      </Link>
      <PageHeader title={title}>{children}</PageHeader>
    </header>
  );
}
