import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { AuditPage } from "../../../../features/team/audit/audit-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/audit")({
  validateSearch: z.object({
    person: z.catch(z.optional(z.uuid()), undefined),
    action: z.catch(z.optional(z.string()), undefined),
    before: z.catch(z.optional(z.uuid()), undefined),
    after: z.catch(z.optional(z.uuid()), undefined),
  }),
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Audit,
});

function Audit() {
  const { orgId } = Route.useRouteContext();
  const { person, action, before, after } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <AuditPage
      orgId={orgId}
      view={{ person, action, before, after }}
      onView={(view) => navigate({ search: view })}
    />
  );
}
