import { expect, it } from "vitest";
import { createSmtpDelivery } from "../../supabase/functions/_shared/messages/smtp.ts";
import { startMailServer } from "./mail-server.ts";

it("a mail goes to the address that was found for its server's name, and to no other", async () => {
  const mails = await startMailServer();
  const smtpUrl = mails.url.replace("127.0.0.1", "mail.exemple.invalid");
  const asked: string[] = [];
  const deliver = createSmtpDelivery(
    {
      smtpUrl,
      from: "Tournavis <bonjour@exemple.fr>",
      findAddress: async (host) => {
        asked.push(host);
        return "127.0.0.1";
      },
    },
    {
      siteUrl: "https://exemple.fr",
      operator: { company: "Roue & Cie", address: null, contact_email: null },
    },
  );
  const sending = deliver({
    id: "0193b0a2-7c1e-7000-8000-000000000001",
    channel: "mail",
    template: "recovery",
    recipient: "ana@exemple.fr",
    data: { url: "https://exemple.fr/lien", name: "Ana" },
    attempt: 1,
    created_at: new Date(0),
  });
  await expect(sending).resolves.toBe("sent");
  expect(mails.received.map(({ to }) => to)).toEqual([["ana@exemple.fr"]]);
  expect(asked).toEqual(["mail.exemple.invalid"]);
});
