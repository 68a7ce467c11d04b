import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";

/** Another name of the sign-up tab (specification, section 2.8). */
export const Route = createFileRoute("/auth/signup")({
  validateSearch: z.object({ redirect: z.catch(z.optional(z.string()), undefined) }),
  beforeLoad: ({ search }) => {
    throw redirect({
      to: "/auth",
      search: { mode: "signup", ...(search.redirect && { redirect: search.redirect }) },
      replace: true,
    });
  },
});
