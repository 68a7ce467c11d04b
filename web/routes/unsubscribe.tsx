import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { UnsubscribePage } from "../features/site/unsubscribe-page.tsx";

export const Route = createFileRoute("/unsubscribe")({
  validateSearch: z.object({
    token: z.catch(z.optional(z.guid()), undefined),
    kind: z.catch(z.optional(z.enum(["alert", "summary", "report"])), undefined),
  }),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { token, kind } = Route.useSearch();
  return <UnsubscribePage token={token} kind={kind} />;
}
