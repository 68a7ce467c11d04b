import { createFileRoute } from "@tanstack/react-router";
import { DeletedPage } from "../../features/auth/deleted-page.tsx";

export const Route = createFileRoute("/auth/deleted")({ component: DeletedPage });
