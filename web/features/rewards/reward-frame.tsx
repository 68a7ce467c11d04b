import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { MissingPage } from "../../ui/states/missing-page.tsx";
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

const copy = rewardsCopy.notFound;

/** There is no such reward, or it is somebody else's: the same answer. */
export function RewardMissing() {
  usePageTitle(copy.title);
  return (
    <MissingPage title={copy.title} text={copy.text}>
      <Link to="/rewards" className={buttonClass()}>
        {copy.back}
      </Link>
    </MissingPage>
  );
}
