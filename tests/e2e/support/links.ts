import type { CapturedMessage } from "../../harness/mailbox.ts";
import type { TestApp } from "./test-app.ts";

/** The link that a mail asks to follow, at the address under which the browser knows the server. */
export function linkIn(app: TestApp, mail: CapturedMessage): string {
  const link = mail.links.find((address) => address.includes("/auth/v1/verify"));
  if (link === undefined) throw new Error(`The mail « ${mail.subject} » has no link to follow.`);
  const { pathname, search } = new URL(link);
  return app.server.url + pathname + search;
}
