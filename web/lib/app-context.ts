import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import type { Auth } from "./auth/auth.ts";
import type { PublicConfig } from "./config.ts";
import type { Supabase } from "./supabase.ts";

/** Parts of the application once its configuration is known; also the router's context. */
export type App = {
  config: PublicConfig;
  supabase: Supabase;
  auth: Auth;
  queryClient: QueryClient;
};

/** Provided around the router. */
export const AppContext = createContext<App | null>(null);

/** The application's parts, for components and hooks. */
export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error("useApp is called outside the application.");
  return app;
}
