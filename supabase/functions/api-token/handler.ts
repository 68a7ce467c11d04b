import type * as z from "zod/mini";
import { API_TOKEN_S, type apiToken } from "../_shared/domain/schemas/api-keys.ts";
import { beginApiRequest, presentedKey } from "../_shared/http/api-key.ts";
import { json, refuse } from "../_shared/http/respond.ts";
import { serve } from "../_shared/http/serve.ts";

/**
 * `POST api-token` with a key of the API: exchanges it for a token of ten minutes, which every Supabase
 * project takes as it takes that of a signed-in user. The database asks about the key at each statement
 * all the same (docs/decisions/027-api-keys.md).
 */
export const handler = serve(
  { name: "api-token", method: "POST", failure: "internal_error" },
  async (request, deps) => {
    const key = presentedKey(request);
    if (!key) return refuse("api_key_refused");
    if (!deps.signApiToken) return refuse("api_off");
    const begun = await beginApiRequest(deps, { key }, deps.clientAddress(request));
    if (!begun.ok) {
      return refuse(begun.code, begun.retryAfter ? { retryAfter: begun.retryAfter } : {});
    }
    const answer: z.infer<typeof apiToken> = {
      access_token: await deps.signApiToken(begun.keyId, API_TOKEN_S),
      token_type: "bearer",
      expires_in: API_TOKEN_S,
    };
    return json(answer);
  },
);
