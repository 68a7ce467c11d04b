import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSmtpDelivery } from "./smtp.ts";

const SENDER = {
  siteUrl: "https://exemple.fr",
  operator: { company: "Roue & Cie", address: null, contact_email: null },
};

/** A mail server that answers the first command with lines that never end; answers its port. */
async function startDripping(): Promise<number> {
  const drip = (socket: Socket) => {
    const dripping = setInterval(() => socket.write("250-un instant\r\n"), 10);
    socket.on("close", () => clearInterval(dripping)).on("error", () => undefined);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.write("220 mail.exemple.fr\r\n");
    socket.once("data", () => drip(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

it("ends a talk with a mail server that is never silent, to be tried again", async () => {
  const smtpUrl = `smtp://127.0.0.1:${await startDripping()}`;
  const mail = { smtpUrl, from: "Tournavis <bonjour@exemple.fr>" };
  const deliver = createSmtpDelivery(mail, SENDER, 300);
  const sending = deliver({
    id: "0193b0a2-7c1e-7000-8000-000000000001",
    channel: "mail",
    template: "recovery",
    recipient: "ana@exemple.fr",
    data: { url: "https://exemple.fr/lien", name: "Ana" },
    attempt: 1,
    created_at: new Date(0),
  });
  await expect(sending).rejects.toMatchObject({ code: "EABORT" });
});
