import { readFactor } from "../mfa/factors.ts";
import { dropFactor } from "../mfa/unenroll.ts";
import type { RouteGroup } from "../route-group.ts";
import { factorAnswer } from "../user-answer.ts";
import { listFactors } from "../users.ts";
import { lockAnyUser } from "./find-users.ts";
import { requireAdmin } from "./require-admin.ts";
import { noteKeyUse } from "./trail.ts";
import { requireAccount } from "./users.ts";

/** Second factors of an account, for the operator. */
export const factorRoutes: RouteGroup = (app, deps) => {
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
