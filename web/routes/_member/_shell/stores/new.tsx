import { createFileRoute } from "@tanstack/react-router";
import { NewStorePage } from "../../../../features/stores/form/new-store-page.tsx";
import { requireBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/new")({
  beforeLoad: ({ context }) => requireBackOffice(context),
  component: NewStorePage,
});
