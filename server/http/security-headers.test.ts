import { expect, it } from "vitest";
import { transportSecurity } from "./security-headers.ts";

it.each([
  ["https://avis.exemple.fr", "max-age=63072000; includeSubDomains"],
  // Other names of the domain may be somebody else's, and speak HTTP alone.
  ["https://exemple.fr", "max-age=63072000"],
  ["http://localhost:3000", null],
])("%s asks browsers for TLS: %s", (origin, header) => {
  expect(transportSecurity(origin)).toBe(header);
});
