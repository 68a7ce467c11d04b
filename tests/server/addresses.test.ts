import { createMemoryHistory, createRouter } from "@tanstack/react-router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeTree } from "../../web/route-tree.gen.ts";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Which addresses have a page: what the server answers, beside what the router finds. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const open = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    redirect: "manual",
    headers: { accept: "text/html" },
    ...init,
  });

/** The router's own list of addresses. */
function routesOfRouter(): string[] {
  const router = createRouter({ routeTree, history: createMemoryHistory() } as object as Parameters<
    typeof createRouter
  >[0]);
  return Object.keys(router.routesByPath);
}

describe("an address that the application knows", () => {
  it("is answered with 200, with any identifiers, a slash at its end, and to whoever asks", async () => {
    const routes = routesOfRouter();
    expect(routes).toContain("/campaigns/$campaignId/edit");
    const wrong: string[] = [];
    for (const route of routes) {
      const path = route.replaceAll(/\$\w+/g, "0b0c2d3e-4f50-4a61-8b72-9c83ad94be05");
      const slashed = path.endsWith("/") ? path : `${path}/`;
      const answers = [
        await open(path),
        await open(slashed),
        await open(path, { method: "HEAD" }),
        await open(path, { headers: { accept: "*/*" } }),
      ];
      for (const answer of answers) {
        if (answer.status !== 200 || answer.headers.has("x-robots-tag")) {
          wrong.push(`${answer.url} ${answer.status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("an address that no page has", () => {
  const NOWHERE = [
    "/nulle/part",
    "/c",
    "/org",
    "/legal",
    "/legal/mentions",
    "/docs",
    "/docs/autre",
    "/auth/autre",
    "/dashboard/autre",
    "/campaigns/0b0c2d3e/edit/autre",
    "/rewards/0b0c2d3e",
    "/settings/autre/",
    "/team",
    "/dashboard//",
  ];

  it.each(NOWHERE)("%s is 404 in no index, and a page for people", async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(await answer.text()).toContain('id="root"');
    const head = await open(path, { method: "HEAD" });
    expect([head.status, head.headers.get("x-robots-tag")]).toEqual([404, "noindex"]);
    const machine = await open(path, { headers: { accept: "application/json" } });
    expect([machine.status, await machine.json()]).toEqual([
      404,
      { code: "not_found", message: "Not found" },
    ]);
  });

  it.each(["/c/", "/c/demo/nimporte", "/c/demo/review/autre", "/org/", "/org/demo/review"])(
    "%s is 404 for customers, whole without a script",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        expect((await open(path, { method })).status).toBe(404);
      }
      const html = await (await open(path)).text();
      expect(html).toContain("<title>Page non trouvée</title>");
      expect(html).toContain('<meta name="robots" content="noindex" />');
      expect(html).toContain("Cette page n’existe pas ou a été déplacée.");
      expect(html).not.toContain("<script");
    },
  );

  it.each(["/c/aucune/review", "/org/aucune"])("%s says that nobody is there", async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("Campagne non trouvée ou inactive");
  });

  it("has no campaign, whatever ends it", async () => {
    const { sql } = server.database;
    const { id, storeId } = await createOrganization(sql);
    const { slug } = await createCampaign(sql, { orgId: id, storeId });
    expect((await open(`/c/${slug}/review`)).status).toBe(200);
    expect((await open(`/c/aucune/c/${slug}/review`)).status).toBe(404);
  });
});
