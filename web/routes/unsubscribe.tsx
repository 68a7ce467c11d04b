import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { unsubscribeRequest } from "#domain/schemas/unsubscribe-request.ts";
import { UnsubscribePage } from "../features/site/unsubscribe-page.tsx";

export const Route = createFileRoute("/unsubscribe")({
  validateSearch: z.object({
    token: z.catch(z.optional(unsubscribeRequest.shape.token), undefined),
    kind: z.catch(z.optional(unsubscribeRequest.shape.kind), undefined),
  }),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { token, kind } = Route.useSearch();
  return <UnsubscribePage token={token} kind={kind} />;
}
