import type { RouteGroup } from "../route-group.ts";
import { challengeFactor } from "./challenge.ts";
import { enrolFactor } from "./enroll.ts";
import { removeFactor } from "./unenroll.ts";
import { verifyFactor } from "./verify.ts";

/** Second factors: set up, asked for, answered, removed. */
export const mfaRoutes: RouteGroup = (app, deps) => {
  app.post("/factors", (context) => enrolFactor(context, deps));
  app.delete("/factors/:factor_id", (context) => removeFactor(context, deps));
  app.post("/factors/:factor_id/challenge", (context) => challengeFactor(context, deps));
  app.post("/factors/:factor_id/verify", (context) => verifyFactor(context, deps));
};
