import type * as z from "zod/mini";
import { UnrenderableError } from "./render.ts";

/** Message of the outbox, as far as its text goes. */
export type Message = { template: string; data: unknown };

/** Text of a message, made of its data by the schema of its template; throws where there is none, or the data is not its own. */
export function readMessage<T>(
  templates: Readonly<Record<string, z.ZodMiniType<T>>>,
  { template, data }: Message,
): T {
  const schema = Object.hasOwn(templates, template) ? templates[template] : undefined;
  if (!schema) throw new UnrenderableError("unknown_template");
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new UnrenderableError("invalid_data");
  return parsed.data;
}
