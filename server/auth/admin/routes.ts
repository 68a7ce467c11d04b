import { readFactor } from "../mfa/factors.ts";
import { dropFactor } from "../mfa/unenroll.ts";
import { notePasskey } from "../passkeys/challenges.ts";
import { deletePasskey, listPasskeys, passkeyAnswer, passkeyIdOf } from "../passkeys/passkeys.ts";
import type { RouteGroup } from "../route-group.ts";
import { factorAnswer } from "../user-answer.ts";
import { listFactors } from "../users.ts";
import { lockAnyUser } from "./find-users.ts";
import { linkRoutes } from "./links.ts";
import { requireAdmin } from "./require-admin.ts";
import { noteKeyUse } from "./trail.ts";
import { adminUserRoutes, requireAccount } from "./users.ts";

/**
 * Routes of the operator alone, with the secret key: the hosted platform's administration of
 * accounts.
 */
export const adminRoutes: RouteGroup = (app, deps) => {
  adminUserRoutes(app, deps);
  factorRoutes(app, deps);
  adminPasskeyRoutes(app, deps);
  linkRoutes(app, deps);
};

/** Second factors of an account, for the operator. */
const factorRoutes: RouteGroup = (app, deps) => {
  app.get("/admin/users/:user_id/factors", async (context) => {
    await requireAdmin(context, deps);
    const { id } = await requireAccount(context, deps.sql);
    return context.json((await listFactors(deps.sql, id)).map(factorAnswer));
  });

  app.delete("/admin/users/:user_id/factors/:factor_id", async (context) => {
    await requireAdmin(context, deps);
    const answer = await deps.sql.begin(async (sql) => {
      const user = await requireAccount(context, sql, lockAnyUser);
      const factor = await readFactor(context, sql, user.id);
      await dropFactor(sql, deps, user, factor);
      await noteKeyUse(sql, "account.factor_removed", user.id, factor.id);
      return factorAnswer(factor);
    });
    return context.json(answer);
  });
};

/** Passkeys of an account, for the operator. */
const adminPasskeyRoutes: RouteGroup = (app, deps) => {
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
