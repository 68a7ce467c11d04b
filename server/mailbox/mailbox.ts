import { readFile } from "node:fs/promises";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Sql } from "postgres";
import { z } from "zod";
import type { MailSender } from "../../supabase/functions/_shared/messages/render.ts";
import { isAddressedToThisMachine, isFromThisMachine } from "../network/this-machine.ts";
import { ROOT } from "../root.ts";
import { listCaptured, readCaptured } from "./captured.ts";
import { listPage, messagePage, SANDBOX } from "./page.ts";

const STYLE = new URL("server/mailbox/mailbox.css", ROOT);

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A mail may be looked at, nothing more; links open in the whole window. */
const MAIL_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox ${SANDBOX}`;

/**
 * The mailbox of the local mode, under `/_dev/mailbox`: the messages that nothing could send.
 * They open accounts, so only programs on this machine get them; to all others there is nothing here.
 */
export function createMailbox({
  sql,
  sender,
}: {
  sql: Sql;
  sender: MailSender;
}): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.use(async (context, next) => {
    const { incoming } = context.env;
    if (!isFromThisMachine(incoming) || !isAddressedToThisMachine(incoming)) {
      return context.json({ code: "not_found", message: "Not found" }, 404);
    }
    await next();
    context.header("cache-control", "no-store");
    context.header("referrer-policy", "no-referrer");
    return;
  });

  app.get("/", async (context) => {
    const to = context.req.query("to")?.trim() || null;
    const messages = await listCaptured(sql, sender, to);
    context.header("content-security-policy", PAGE_POLICY);
    return context.html(listPage(messages, to));
  });

  app.get("/style.css", async (context) =>
    context.body(await readFile(STYLE, "utf8"), 200, { "content-type": "text/css; charset=utf-8" }),
  );

  app.get("/messages.json", async (context) => {
    const to = context.req.query("to")?.trim() || null;
    return context.json(await listCaptured(sql, sender, to));
  });

  app.get("/:id", async (context) => {
    const message = await find(context.req.param("id"));
    if (message === null) return context.notFound();
    context.header("content-security-policy", PAGE_POLICY);
    return context.html(messagePage(message));
  });

  app.get("/:id/html", async (context) => {
    const message = await find(context.req.param("id"));
    if (message?.html == null) return context.notFound();
    context.header("content-security-policy", MAIL_POLICY);
    return context.html(message.html.replace("<head>", '<head><base target="_top">'));
  });

  const find = async (id: string) =>
    z.uuid().safeParse(id).success ? readCaptured(sql, sender, id) : null;

  return app;
}
