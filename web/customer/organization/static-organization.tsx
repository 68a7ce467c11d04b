import { useEffect, useEffectEvent, useState } from "react";
import type { PublicOrganization } from "#domain/schemas/public-organization.ts";
import { fetchOrganization } from "../api.ts";
import { customerCopy } from "../customer.copy.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { NoPage } from "../unavailable/no-page.tsx";
import { OrganizationPage } from "./organization-page.tsx";

type StaticOrganizationProps = {
  slug: string;
  /** Callback with the organisation, once known; null without one. */
  onPage: (page: PublicOrganization | null) => void;
};

/** The open campaigns of an organisation in a static deployment, where no server has rendered them. */
export function StaticOrganization({ slug, onPage }: StaticOrganizationProps) {
  const [page, setPage] = useState<PublicOrganization | "loading" | "missing" | "offline">(
    "loading",
  );
  const tell = useEffectEvent(onPage);

  useEffect(() => {
    fetchOrganization(slug, shellCopy.language).then((answer) => {
      if (answer.ok) {
        setPage(answer.value);
        tell(answer.value);
        return;
      }
      const { failure } = answer;
      const isMissing = failure.kind === "refused" && failure.status === 404;
      setPage(isMissing ? "missing" : "offline");
      if (isMissing) tell(null);
    });
  }, [slug]);

  if (page === "missing") return <NoPage />;
  if (page === "loading") return <p className="p-4">{customerCopy.loading}</p>;
  if (page === "offline") return <p className="p-4">{customerCopy.offline}</p>;
  return <OrganizationPage organization={page} />;
}
