import { createFileRoute } from "@tanstack/react-router";
import { FactorsPage } from "../../../../features/security/factors/factors-page.tsx";

export const Route = createFileRoute("/_member/_shell/settings/2fa")({ component: FactorsPage });
