import { z } from "zod";
import { UnrenderableError } from "../mail/render.ts";

const smsData = z.object({ body: z.string() });

/** Text of a message of the outbox. */
export function readSms({ template, data }: { template: string; data: unknown }): string {
  if (template !== "text") throw new UnrenderableError("unknown_template");
  const parsed = smsData.safeParse(data);
  if (!parsed.success) throw new UnrenderableError("invalid_data");
  return parsed.data.body;
}
