import * as z from "zod/mini";

/** Sections of `/settings` that have no page of their own, each at its address: `?section=…`. */
export const settingsSection = z.enum([
  "organization",
  "stores",
  "team",
  "notifications",
  "subscription",
  "data",
]);
export type SettingsSection = z.infer<typeof settingsSection>;
