import { mkdir, writeFile } from "node:fs/promises";
import { hostedMails } from "../supabase/functions/_shared/messages/hosted-mails.ts";
import { htmlOf, textOf } from "../supabase/functions/_shared/messages/layout.ts";

/** `npm run templates`: writes the mails of `supabase/templates` anew from their words. */
const folder = new URL("../supabase/templates/", import.meta.url);

await mkdir(folder, { recursive: true });
await Promise.all(
  Object.entries(hostedMails).flatMap(([name, copy]) => [
    writeFile(new URL(`${name}.html`, folder), htmlOf(copy)),
    writeFile(new URL(`${name}.txt`, folder), textOf(copy)),
  ]),
);
