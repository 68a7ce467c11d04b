import { createFileRoute } from "@tanstack/react-router";
import { ApiDocsPage } from "../../features/marketing/api-docs-page.tsx";

export const Route = createFileRoute("/docs/api")({ component: ApiDocsPage });
