import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { enqueueMail, enqueueSms } from "../../server/mail/outbox.ts";
import { mailboxCopy } from "../../server/mailbox/mailbox.copy.ts";
import { latestMail, mailsTo } from "../harness/mailbox.ts";
import { PRODUCTION, startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const LINK = "http://localhost:3000/auth/v1/verify?token=abc&type=signup";

/** A request with headers that `fetch` would not send. Answers status and body. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  url = server.url,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { headers }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        body += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.on("error", reject);
    request.end();
  });
}

describe("the local mailbox", () => {
  it("gets a mail a moment after its transaction, and nothing of one that was undone", async () => {
    const { sql } = server.database;
    await expect(
      sql.begin(async (transaction) => {
        await enqueueMail(transaction, {
          template: "recovery",
          to: "ana@exemple.fr",
          data: { url: LINK },
        });
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    await enqueueMail(sql, {
      template: "confirmation",
      to: "Ana@exemple.fr",
      data: { url: LINK, name: "Ana Petit" },
    });
    const mail = await latestMail(server, "ana@exemple.fr");
    expect(mail).toMatchObject({
      channel: "mail",
      template: "confirmation",
      to: "Ana@exemple.fr",
      subject: "Confirmez votre adresse e-mail",
    });
    expect(mail.links[0]).toBe(LINK);
    expect(mail.text).toContain("Bonjour Ana Petit,");
    expect(mail.html).toContain(`href="${LINK.replace("&", "&amp;")}"`);
    expect(await mailsTo(server, "ana@exemple.fr")).toHaveLength(1);
  });

  it("gets text messages too", async () => {
    await enqueueSms(server.database.sql, { to: "+33612345678", body: "Votre code : 123456" });
    expect(await latestMail(server, "+33612345678")).toMatchObject({
      channel: "sms",
      subject: null,
      html: null,
      text: "Votre code : 123456",
    });
  });

  it("shows a list, and each message in a frame that can do nothing", async () => {
    const to = "liste@exemple.fr";
    await enqueueMail(server.database.sql, { template: "magic_link", to, data: { url: LINK } });
    const { id } = await latestMail(server, to);
    const list = await ask(`/_dev/mailbox?to=${to}`);
    expect(list.status).toBe(200);
    expect(list.body).toContain("Votre lien de connexion");
    expect(list.body).toContain(`href="/_dev/mailbox/${id}"`);
    const page = await ask(`/_dev/mailbox/${id}`);
    expect(page.body).toContain(`src="/_dev/mailbox/${id}/html"`);
    expect(page.headers["content-security-policy"]).toContain("style-src 'self';");
    const mail = await ask(`/_dev/mailbox/${id}/html`);
    expect(mail.headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox/);
    expect(mail.headers["content-security-policy"]).not.toContain("allow-scripts");
    expect(mail.headers["cache-control"]).toBe("no-store");
    expect((await ask("/_dev/mailbox/style.css")).headers["content-type"]).toContain("text/css");
  });

  it("says when there is nothing, and finds no message that is not there", async () => {
    expect((await ask("/_dev/mailbox?to=personne@exemple.fr")).body).toContain(mailboxCopy.noMatch);
    for (const id of ["personne", "00000000-0000-7000-8000-000000000000"]) {
      expect((await ask(`/_dev/mailbox/${id}`)).status).toBe(404);
      expect((await ask(`/_dev/mailbox/${id}/html`)).status).toBe(404);
    }
  });

  it("shows what people typed as text", async () => {
    const to = "balise@exemple.fr";
    const email = "<script>alert(1)</script>@exemple.fr";
    await enqueueMail(server.database.sql, {
      template: "recovery",
      to,
      data: { url: LINK, email, name: "<b>Ana</b>" },
    });
    const { id, html, text } = await latestMail(server, to);
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>");
    expect(text).toContain(email);
    expect((await ask(`/_dev/mailbox/${id}`)).body).not.toContain("<script>");
    // A name that is none is left out.
    expect(text).toContain("Bonjour,");
  });
});

describe("the local mailbox is for this machine only", () => {
  const paths = ["/_dev/mailbox", "/_dev/mailbox/messages.json", "/_dev/mailbox/style.css"];

  it.each<[string, Record<string, string>]>([
    ["through a proxy", { "x-forwarded-for": "203.0.113.9" }],
    ["with a forged forwarded address", { "x-forwarded-for": "127.0.0.1" }],
    ["with the standard's header", { forwarded: "for=127.0.0.1" }],
    ["with nginx's header", { "x-real-ip": "127.0.0.1" }],
    ["from a page that resolved its name to us", { host: "evil.example" }],
    ["from a name that begins like us", { host: "127.0.0.1.evil.example" }],
    ["from a name that ends like us", { host: "evil-localhost" }],
  ])("%s there is nothing", async (_, headers) => {
    for (const path of paths) {
      const answer = await ask(path, headers);
      expect(answer.status).toBe(404);
      expect(answer.body).toBe('{"code":"not_found","message":"Not found"}');
    }
  });

  it.each([["localhost:3000"], ["127.0.0.1"], ["[::1]:8080"]])("answers as %s", async (host) => {
    expect((await ask("/_dev/mailbox", { host })).status).toBe(200);
  });

  it("is not there for another machine of the network", async ({ skip }) => {
    const lan = await startTestServer({ argv: ["--no-demo", "--lan"] });
    onTestFinished(() => lan.stop());
    const { hostname, port } = new URL(lan.running.publicUrl);
    const url = `http://${hostname}:${port}`;
    // The address on the network stands for a phone's.
    skip(hostname === "localhost", "this machine is on no network");
    for (const path of paths) {
      expect((await ask(path, { host: "localhost" }, url)).status).toBe(404);
    }
    expect((await ask("/_dev/mailbox", {}, lan.url)).status).toBe(200);
  });

  it("is not there in production mode", async () => {
    const production = await startTestServer({ env: PRODUCTION });
    onTestFinished(() => production.stop());
    for (const path of paths) {
      expect((await ask(path, {}, production.url)).status).toBe(404);
      expect((await ask(path, { accept: "text/html" }, production.url)).status).toBe(404);
    }
  });
});
