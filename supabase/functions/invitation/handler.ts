import { invitationRequest } from "../_shared/domain/schemas/team.ts";
import { parseBody } from "../_shared/http/parse.ts";
import { json } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `POST invitation { token }`: who invites, to what, or why the link opens nothing any more. For people
 * without an account: the token, 244 random bits that came by mail, is all that is asked for.
 */
export const handler = serve(
  { name: "invitation", method: "POST", failure: "internal_error" },
  async (request, { sql }) => {
    const parsed = await parseBody(request, invitationRequest);
    if (!parsed.ok) return parsed.response;
    const [row] = await sql<{ page: object }[]>`
      select public.invitation_page(${parsed.body.token}) as page`;
    return json(row?.page ?? null);
  },
);
