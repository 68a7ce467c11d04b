import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { unsubscribeRequest } from "#domain/schemas/unsubscribe-request.ts";
import { OffersPage } from "../features/site/offers-page.tsx";
import { UnsubscribePage } from "../features/site/unsubscribe-page.tsx";

const part = z.catch(z.optional(z.string()), undefined);

export const Route = createFileRoute("/unsubscribe")({
  // Read by the screen, which comes later: every page pays for what stands here. `lang` is that of a customer's mail.
  validateSearch: z.object({ token: part, kind: part, lang: part }),
  component: Unsubscribe,
});

function Unsubscribe() {
  const { lang, ...link } = Route.useSearch();
  const { data: request } = unsubscribeRequest.safeParse(link);
  if (link.kind === "offers") {
    return <OffersPage token={request?.token} lang={lang} />;
  }
  return <UnsubscribePage request={request?.kind === "offers" ? undefined : request} />;
}
