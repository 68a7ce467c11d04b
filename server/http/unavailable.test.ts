import { expect, it } from "vitest";
import { unavailable } from "./unavailable.ts";

// Form in which each service's own client reads an outage.
it.each([
  ["/functions/v1/redeem", { error: { code: "service_unavailable" } }],
  ["/rest/v1/campaigns", { code: "PGRST001" }],
  ["/auth/v1/token", { code: 503, error_code: expect.any(String) }],
  ["/storage/v1/object/public/logos/a.webp", { statusCode: "503", error: "DatabaseError" }],
  ["/metrics", { code: "service_unavailable" }],
])(
  "%s says in its own form that the database is away, and when to come again",
  async (path, body) => {
    const response = unavailable(path, new Headers());
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await response.json()).toMatchObject(body);
  },
);
