import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latestMail } from "../harness/mailbox.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Signing up with the official client against the running platform, mail included. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const anEmail = () => `${randomUUID().slice(0, 8)}@exemple.fr`;
const PASSWORD = "trois petits chats";

test("a new account waits for its link, and the link signs in", async () => {
  const email = anEmail();
  const { auth } = server.client();
  const signedUp = await auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: "Camille Martin" } },
  });
  expect(signedUp.error).toBeNull();
  expect(signedUp.data.session).toBeNull();
  expect(signedUp.data.user).toMatchObject({
    email,
    role: "authenticated",
    user_metadata: { full_name: "Camille Martin", email_verified: false },
    app_metadata: { provider: "email", providers: ["email"] },
  });
  expect(signedUp.data.user?.identities).toHaveLength(1);

  const early = await auth.signInWithPassword({ email, password: PASSWORD });
  expect(early.error).toMatchObject({ status: 400, code: "email_not_confirmed" });

  const mail = await latestMail(server, email, { template: "confirmation" });
  expect(mail.links[0]).toContain("/auth/v1/verify?");
  const followed = await fetch(mail.links[0] ?? "", { redirect: "manual" });
  expect(followed.status).toBe(303);
  const target = new URL(followed.headers.get("location") ?? "");
  const fragment = new URLSearchParams(target.hash.slice(1));
  expect(target.origin).toBe(server.running.publicUrl);
  expect(fragment.get("type")).toBe("signup");

  const { data, error } = await auth.setSession({
    access_token: fragment.get("access_token") ?? "",
    refresh_token: fragment.get("refresh_token") ?? "",
  });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    id: signedUp.data.user?.id,
    email,
    user_metadata: { full_name: "Camille Martin", email_verified: true },
  });
  expect(data.user?.email_confirmed_at).toBeTruthy();

  const again = await fetch(mail.links[0] ?? "", { redirect: "manual" });
  expect(again.headers.get("location")).toContain("error_code=otp_expired");
  const later = await auth.signInWithPassword({ email, password: PASSWORD });
  expect(later.error).toBeNull();
});
