import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { LeaveCard } from "./leave-card.tsx";
import { OwnershipCard } from "./ownership-card.tsx";
import { teamCopy as copy } from "./team.copy.ts";
import { TeamCard } from "./team-card.tsx";

/** `/settings/team`: the team, and what concerns oneself in it. */
export function TeamPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { may, mayOpen } = useMay();
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/settings", label: copy.settings }}
        title={copy.title}
        text={copy.text}
      >
        {mayOpen("/settings/audit") && (
          <Link to="/settings/audit" className={buttonClass({ variant: "secondary" })}>
            <History aria-hidden="true" className="size-5" />
            {copy.journal}
          </Link>
        )}
      </PageHeader>
      <TeamCard orgId={orgId} isWhole />
      <OwnershipCard orgId={orgId} isOwner={may("owners.manage")} />
      <LeaveCard orgId={orgId} />
    </div>
  );
}
