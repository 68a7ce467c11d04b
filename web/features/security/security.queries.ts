import { queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";
import { authError, dataError } from "../../lib/app-error.ts";
import type { Supabase } from "../../lib/supabase.ts";

/** A second factor of the signed-in user. */
export type Factor = {
  id: string;
  kind: "totp" | "phone" | "webauthn";
  name: string;
  phone: string;
  createdAt: Date;
  isVerified: boolean;
};

const withPhone = z.object({ phone: z.optional(z.string()) });

/** The number of a phone factor, which the client's types leave out. */
function phoneOf(factor: object): string {
  const read = withPhone.safeParse(factor);
  return (read.success && read.data.phone) || "";
}

/** One's factors, oldest first; those that were begun and not finished, too. */
export function factorsQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["security", "factors"],
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.auth.mfa.listFactors();
      if (error) throw authError(error);
      const factors: Factor[] = [];
      for (const factor of data.all) {
        const kind = factor.factor_type;
        factors.push({
          id: factor.id,
          kind,
          name: factor.friendly_name ?? "",
          phone: phoneOf(factor),
          createdAt: new Date(factor.created_at),
          isVerified: factor.status === "verified",
        });
      }
      return factors.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    },
  });
}

/** One's ways in: the address and its password, Google … */
export function identitiesQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["security", "identities"],
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.auth.getUserIdentities();
      if (error) throw authError(error);
      return data.identities;
    },
  });
}

/** A passkey of the signed-in user. */
export type Passkey = { id: string; name: string; createdAt: Date; usedAt: Date | null };

/** One's passkeys, oldest first. */
export function passkeysQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["security", "passkeys"],
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.auth.passkey.list();
      if (error) throw authError(error);
      return data.map(
        ({ id, friendly_name, created_at, last_used_at }): Passkey => ({
          id,
          name: friendly_name ?? "",
          createdAt: new Date(created_at),
          usedAt: last_used_at ? new Date(last_used_at) : null,
        }),
      );
    },
  });
}

/** How many recovery codes are left. */
export function recoveryCountQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["security", "recovery-codes"],
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("count_recovery_codes");
      if (answer.error) throw dataError(answer);
      return answer.data;
    },
  });
}

/** A device on which the account is open. */
export type DeviceSession = {
  id: string;
  startedAt: Date;
  seenAt: Date;
  userAgent: string | null;
  ip: string | null;
  isCurrent: boolean;
};

/** The devices, this one first. */
export function sessionsQuery(supabase: Supabase) {
  return queryOptions({
    queryKey: ["security", "sessions"],
    staleTime: 0,
    queryFn: async () => {
      const answer = await supabase.rpc("my_sessions");
      if (answer.error) throw dataError(answer);
      return answer.data.map(
        (row): DeviceSession => ({
          id: row.id,
          startedAt: new Date(row.created_at),
          seenAt: new Date(row.last_seen_at),
          userAgent: row.user_agent,
          ip: row.ip,
          isCurrent: row.is_current,
        }),
      );
    },
  });
}
