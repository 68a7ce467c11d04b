import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, it, onTestFinished } from "vitest";
import type { Delivery } from "./delivery.ts";
import { createSmtpDelivery } from "./smtp.ts";

const SENDER = {
  siteUrl: "https://exemple.fr",
  operator: { company: "Roue & Cie", address: null, contact_email: null },
};

const MESSAGE: Parameters<Delivery>[0] = {
  id: "0193b0a2-7c1e-7000-8000-000000000001",
  channel: "mail",
  template: "recovery",
  recipient: "ana@exemple.fr",
  data: { url: "https://exemple.fr/lien", name: "Ana" },
  attempt: 1,
  created_at: new Date(0),
};

/** Has a server listen on a free port of this machine until the test ends; answers the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

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
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

it("ends a talk with a mail server that is never silent, to be tried again", async () => {
  const smtpUrl = `smtp://127.0.0.1:${await startDripping()}`;
  const mail = { smtpUrl, from: "Tournavis <bonjour@exemple.fr>" };
  const deliver = createSmtpDelivery(mail, SENDER, 300);
  await expect(deliver(MESSAGE)).rejects.toMatchObject({ code: "EABORT" });
});

it("goes to the address that was found for its server's name, whose other addresses are not tried", async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
  });
  const port = await listen(server.server);
  const asked: string[] = [];
  const deliver = createSmtpDelivery(
    {
      smtpUrl: `smtp://mail.exemple.invalid:${port}`,
      from: "Tournavis <bonjour@exemple.fr>",
      findAddress: async (host) => {
        asked.push(host);
        return "127.0.0.1";
      },
    },
    SENDER,
  );
  await expect(deliver(MESSAGE)).resolves.toBe("sent");
  expect(asked).toEqual(["mail.exemple.invalid"]);
});
