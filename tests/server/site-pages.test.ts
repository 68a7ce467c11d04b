import { createServer, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import { encodeQuickly } from "../../server/http/encoding.ts";
import { REVALIDATE } from "../../server/http/send.ts";
import { createSitePages } from "../../server/web/site-pages.ts";

let listening: Server;
afterEach(() => void listening.close());

it("what could not be made is made at the next request, and kept from then on", async () => {
  let made = 0;
  const pages = createSitePages({
    publicUrl: null,
    filling: {
      operator: unknownOperator,
      offers: { google: false, phone: false, captcha: false, contact: false, payments: true },
      demoSlug: null,
      wheel: null,
      claims: null,
    },
    web: {
      file: () => undefined,
      knows: () => true,
      application: () => Promise.reject(new Error("not asked for")),
      customer: () => Promise.reject(new Error("not asked for")),
      site: async () => {
        made += 1;
        if (made === 1) throw new Error("the disk was busy");
        return {
          status: 200,
          type: "text/html",
          cacheControl: REVALIDATE,
          etag: "",
          body: encodeQuickly(Buffer.from("<h1>Tarifs</h1>")),
        };
      },
    },
  });
  listening = createServer((request, response) => {
    pages(request, response, request.url ?? "")?.catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen.");
  const statusOf = async () => (await fetch(`http://127.0.0.1:${address.port}/pricing`)).status;
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([500, 200, 200]);
  expect(made).toBe(2);
});
