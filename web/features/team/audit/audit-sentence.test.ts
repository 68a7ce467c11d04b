import { expect, it } from "vitest";
import { exportRequest } from "#domain/schemas/customers.ts";
import { auditSentence } from "./audit-sentence.ts";

function exported(subject_type: string): string {
  const id = "0199f000-0000-7000-8000-000000000001";
  const event = { id, at: "2026-11-27T10:00:00Z", by: "Léa", is_platform: false };
  return auditSentence({
    ...event,
    action: "data.exported",
    subject_type,
    subject_id: null,
    detail: {},
  });
}

it("an export names the list, and none that can be exported goes without a name", () => {
  const kinds = exportRequest.def.options.flatMap(({ shape }) => shape.type.def.values);
  expect(kinds).toHaveLength(4);
  for (const kind of kinds) expect(exported(kind)).toMatch(/^a exporté les /);
  expect(exported("reviews")).toBe("a exporté les avis");
  expect(exported("of_later")).toBe("a exporté des données");
});
