import * as z from "zod/mini";
import { UnrenderableError } from "./render.ts";
import { smsCopy } from "./sms.copy.ts";

/** Data and text of each kind of text message. */
const TEMPLATES = {
  text: z.pipe(
    z.object({ body: z.string() }),
    z.transform(({ body }) => body),
  ),
  low_rating: z.pipe(
    z.object({ store: z.string(), rating: z.int() }),
    z.transform(({ store, rating }) => smsCopy.lowRating(store, rating)),
  ),
} as const;

/** Text of a message of the outbox. */
export function readSms({ template, data }: { template: string; data: unknown }): string {
  if (!isTemplate(template)) throw new UnrenderableError("unknown_template");
  const parsed = TEMPLATES[template].safeParse(data);
  if (!parsed.success) throw new UnrenderableError("invalid_data");
  return parsed.data;
}

function isTemplate(name: string): name is keyof typeof TEMPLATES {
  return Object.hasOwn(TEMPLATES, name);
}
