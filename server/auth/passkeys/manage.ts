import type { Context } from "hono";
import { z } from "zod";
import { requireUser } from "../authenticate.ts";
import { optionalText, readBody } from "../body.ts";
import type { AuthDeps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { requireAssurance } from "../mfa/assurance.ts";
import { lockUser } from "../users.ts";
import { notePasskey } from "./challenges.ts";
import {
  deletePasskey,
  listPasskeys,
  passkeyAnswer,
  passkeyIdOf,
  renamePasskey,
} from "./passkeys.ts";
import { requireProof } from "./proof.ts";

const NAME_MAX_LENGTH = 120;

/** `GET /passkeys`: those of the signed-in user. */
export async function listOwnPasskeys(context: Context, deps: AuthDeps): Promise<Response> {
  const { user } = await requireUser(context, deps);
  return context.json((await listPasskeys(deps.sql, user.id)).map(passkeyAnswer));
}

/** `PATCH /passkeys/{id}`: renames one. */
export async function renameOwnPasskey(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  await requireAssurance(deps.sql, who);
  const id = passkeyIdOf(context);
  const body = await readBody(context, z.object({ friendly_name: optionalText }));
  const name = body.friendly_name.trim();
  if (name === "") throw invalid("friendly_name is required");
  if (name.length > NAME_MAX_LENGTH) {
    throw invalid(`friendly_name must be ${NAME_MAX_LENGTH} characters or less`);
  }
  const now = deps.now();
  const row = await renamePasskey(deps.sql, { userId: who.user.id, id, name, now });
  return context.json(passkeyAnswer(row));
}

/** `DELETE /passkeys/{id}`: needs the same recent proof as a registration. */
export async function removeOwnPasskey(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  const { user, session } = who;
  await requireProof(deps, who);
  const id = passkeyIdOf(context);
  await deps.sql.begin(async (sql) => {
    await lockUser(sql, user.id);
    await deletePasskey(sql, user.id, id);
    await notePasskey(sql, "passkey_removed", { userId: user.id, sessionId: session.id });
  });
  return context.body(null, 204);
}
