import type * as z from "zod/mini";
import { deviceMemory } from "../../lib/device-memory.ts";

/** Unsent text of a step, kept on the device for each user apart. */
export type Draft<T> = {
  read(): T | null;
  keep(values: T): void;
  forget(): void;
};

/** The draft of a step. What is kept is judged anew when it is read: it may be of an older version. */
export function draftOf<T>(
  userId: string,
  step: "organization" | "store" | "wheel",
  schema: z.ZodMiniType<T>,
): Draft<T> {
  const key = `tournavis-onboarding-${step}-${userId}`;
  return {
    read() {
      try {
        const kept = schema.safeParse(JSON.parse(deviceMemory.read(key) ?? "null"));
        return kept.success ? kept.data : null;
      } catch {
        return null;
      }
    },
    keep: (values) => deviceMemory.write(key, JSON.stringify(values)),
    forget: () => deviceMemory.write(key, ""),
  };
}
