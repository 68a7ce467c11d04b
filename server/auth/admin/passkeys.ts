import { notePasskey } from "../passkeys/challenges.ts";
import { deletePasskey, listPasskeys, passkeyAnswer, passkeyIdOf } from "../passkeys/passkeys.ts";
import type { RouteGroup } from "../route-group.ts";
import { lockAnyUser } from "./find-users.ts";
import { requireAdmin } from "./require-admin.ts";
import { noteKeyUse } from "./trail.ts";
import { requireAccount } from "./users.ts";

/** Passkeys of an account, for the operator. */
export const adminPasskeyRoutes: RouteGroup = (app, deps) => {
  app.get("/admin/users/:user_id/passkeys", async (context) => {
    await requireAdmin(context, deps);
    const { id } = await requireAccount(context, deps.sql);
    return context.json((await listPasskeys(deps.sql, id)).map(passkeyAnswer));
  });

  app.delete("/admin/users/:user_id/passkeys/:passkey_id", async (context) => {
    await requireAdmin(context, deps);
    await deps.sql.begin(async (sql) => {
      const { id: userId } = await requireAccount(context, sql, lockAnyUser);
      const id = passkeyIdOf(context);
      await deletePasskey(sql, userId, id);
      await notePasskey(sql, "passkey_removed", { userId, sessionId: null });
      await noteKeyUse(sql, "account.passkey_removed", userId, id);
    });
    return context.body(null, 204);
  });
};
