import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page-header.tsx";
import { rewardsCopy } from "./rewards.copy.ts";

type HeaderProps = { title: string; children?: ReactNode };

/** Title of a page about one reward, with the way back to the list. */
export function RewardPageHeader({ title, children }: HeaderProps) {
  return (
    <PageHeader back={{ to: "/rewards", label: rewardsCopy.back }} title={title}>
      {children}
    </PageHeader>
  );
}
