import { expect, it } from "vitest";
import { displayName } from "./use-display-name.ts";

it.each([
  [{ user_metadata: { full_name: " Camille Martin " }, email: "c@exemple.fr" }, "Camille Martin"],
  [{ user_metadata: { full_name: "  " }, email: "camille.m@exemple.fr" }, "camille.m"],
  [{ user_metadata: {}, email: "camille@exemple.fr" }, "camille"],
  [{ user_metadata: { full_name: 3 }, email: undefined }, ""],
])("calls %j « %s »", (user, name) => {
  expect(displayName(user)).toBe(name);
});
