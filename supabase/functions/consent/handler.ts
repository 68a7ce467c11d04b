import { type ConsentLink, consentLinkRequest } from "../_shared/domain/schemas/consent-link.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `POST consent { token }`: whose offers the link of a mail ends. Changes nothing, and tells nothing about the customer;
 * `unsubscribe` withdraws the consent.
 */
export const handler = serve(
  { name: "consent", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, consentLinkRequest);
    if (!parsed.ok) return parsed.response;
    const [row] = await sql<{ link: ConsentLink | null }[]>`
      select public.consent_organizer(${parsed.body.token}) as link`;
    return row?.link ? json(row.link) : refuse("link_unknown");
  },
);
