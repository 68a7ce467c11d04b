import { expect, it } from "vitest";
import { addressOf } from "../../server/postgres/address.ts";

it("reads all hosts of an address, and gives it with each of them alone", () => {
  const { hosts, at } = addressOf(
    "postgres://moi:p%40ss@[::1],base-2:5433/avis?sslmode=verify-full&target_session_attrs=primary",
  );
  expect(hosts).toEqual([
    { host: "::1", port: 5432 },
    { host: "base-2", port: 5433 },
  ]);
  expect(hosts.map(at)).toEqual([
    "postgres://moi:p%40ss@[::1]/avis?sslmode=verify-full",
    "postgres://moi:p%40ss@base-2:5433/avis?sslmode=verify-full",
  ]);
});

it("reads hosts that stand behind the database's name", () => {
  const { hosts, at } = addressOf("postgres:///avis?user=moi&host=base-1,base-2&port=6000");
  expect(hosts).toEqual([
    { host: "base-1", port: 6000 },
    { host: "base-2", port: 6000 },
  ]);
  expect(at(hosts[0])).toBe("postgres://base-1:6000/avis?user=moi");
});
