import { createFileRoute } from "@tanstack/react-router";
import { NewStorePage } from "../../../../features/stores/new-store-page.tsx";
import { demandBackOffice } from "../../../../lib/back-office.ts";

export const Route = createFileRoute("/_member/_shell/stores/new")({
  beforeLoad: ({ context }) => demandBackOffice(context),
  component: NewStorePage,
});
