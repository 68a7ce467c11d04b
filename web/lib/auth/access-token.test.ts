import { describe, expect, it } from "vitest";
import { readAccessToken } from "./access-token.ts";

const token = (payload: unknown) =>
  `x.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.y`;

describe("reading an access token", () => {
  it("finds level and session, whatever letters stand beside them", () => {
    const session_id = "01a1fd21-2519-476b-92e7-efbe3102ca12";
    const read = readAccessToken(token({ aal: "aal2", session_id, name: "Zoé ÿÿÿ >>>???" }));
    expect(read).toEqual({ aal: "aal2", session_id });
  });

  it.each(["", "x.y.z", "x..", token("text"), token({ aal: 2 })])("finds nothing in %j", (text) => {
    expect(readAccessToken(text)).toEqual({});
  });
});
