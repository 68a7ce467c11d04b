import * as z from "zod/mini";
import { useSession } from "./auth/use-session.ts";

const metadata = z.object({ full_name: z.string().check(z.trim(), z.minLength(1)) });

/** Name of a person: the profile's full name, else the part of the e-mail before its at sign. */
export function displayName(user: { user_metadata: unknown; email?: string | undefined }): string {
  const profile = metadata.safeParse(user.user_metadata);
  if (profile.success) return profile.data.full_name;
  return user.email?.split("@")[0] ?? "";
}

/** The same of the signed-in person. */
export function useDisplayName(): string {
  const session = useSession();
  return session ? displayName(session.user) : "";
}
