import { createFileRoute } from "@tanstack/react-router";
import { BrandPage } from "../../../../features/brand/brand-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/settings/brand")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: Brand,
});

function Brand() {
  const { orgId } = Route.useRouteContext();
  return <BrandPage key={orgId} orgId={orgId} />;
}
