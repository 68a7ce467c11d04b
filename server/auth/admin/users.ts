import type { Context } from "hono";
import postgres, { type ISql, type TransactionSql } from "postgres";
import { z } from "zod";
import { readBody } from "../body.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError, invalid } from "../errors.ts";
import { dropFlows } from "../flow-state.ts";
import { hashAtOnce } from "../passwords.ts";
import { countSignUps, proveAccount } from "../proof.ts";
import type { RouteGroup } from "../route-group.ts";
import { loadUserAnswer, loadUserAnswers } from "../user-answer.ts";
import {
  dropWaysIn,
  findUserByEmail,
  findUserByPhone,
  mergeIdentity,
  refreshProviders,
  type UserChange,
  type UserRow,
  updateUser,
} from "../users.ts";
import { confirmEmail, confirmPhone } from "../verification.ts";
import { findAnyUser, listUsers, lockAnyUser } from "./find-users.ts";
import { createAccount, emailExists, lockContacts, phoneExists } from "./new-account.ts";
import { requireAdmin } from "./require-admin.ts";
import { noteKeyUse } from "./trail.ts";
import {
  adminUser,
  bannedUntil,
  mergedMetadata,
  readUser,
  type WantedUser,
} from "./user-fields.ts";

/** Of an organisation's last owner, from SQL. */
const LAST_OWNER = "TV104";

const PER_PAGE = 50;
const MAX_PER_PAGE = 1_000;

/** Accounts, for the operator. */
export const adminUserRoutes: RouteGroup = (app, deps) => {
  app.get("/admin/users", async (context) => {
    await requireAdmin(context, deps);
    const { page, perPage } = readPage(context);
    const { users, total } = await listUsers(deps.sql, {
      filter: context.req.query("filter") ?? "",
      isAscending: readDirection(context) === "asc",
      limit: perPage,
      offset: (page - 1) * perPage,
    });
    context.header("x-total-count", String(total));
    context.header("link", linksOf(context, page, Math.ceil(total / perPage)));
    return context.json({ users: await loadUserAnswers(deps.sql, users), aud: "authenticated" });
  });

  app.post("/admin/users", async (context) => {
    await requireAdmin(context, deps);
    const wanted = await readUser(await readBody(context, adminUser));
    const { email, phone, banMs } = wanted;
    if (email === null && phone === null) {
      throw invalid("Cannot create a user without either an email or phone");
    }
    const userMetadata = mergedMetadata(null, wanted.userMetadata);
    const passwordHash = await hashOf(wanted);
    const answer = await deps.sql.begin(async (sql) => {
      const user = await createAccount(sql, deps, { ...wanted, userMetadata, passwordHash });
      const now = deps.now();
      const changed = await updateUser(
        sql,
        user.id,
        {
          raw_app_meta_data: mergedMetadata(user.raw_app_meta_data, wanted.appMetadata),
          ...(banMs !== null && { banned_until: bannedUntil(banMs, now) }),
        },
        now,
      );
      await noteKeyUse(sql, "account.created", user.id, namesOf(wanted));
      return loadUserAnswer(sql, changed);
    });
    return context.json(answer);
  });

  app.get("/admin/users/:user_id", async (context) => {
    await requireAdmin(context, deps);
    return context.json(await loadUserAnswer(deps.sql, await requireAccount(context, deps.sql)));
  });

  app.put("/admin/users/:user_id", async (context) => {
    await requireAdmin(context, deps);
    await requireAccount(context, deps.sql);
    const wanted = await readUser(await readBody(context, adminUser));
    const passwordHash = await hashOf(wanted);
    const answer = await deps.sql.begin(async (sql) => {
      await lockContacts(sql, wanted.email, wanted.phone);
      const before = await requireAccount(context, sql, lockAnyUser);
      const changed = await changeAccount(sql, deps, before, { ...wanted, newHash: passwordHash });
      await noteKeyUse(sql, "account.changed", changed.id, namesOf(wanted));
      return loadUserAnswer(sql, changed);
    });
    return context.json(answer);
  });

  app.delete("/admin/users/:user_id", async (context) => {
    await requireAdmin(context, deps);
    await requireAccount(context, deps.sql);
    const body = await readBody(context, z.object({ should_soft_delete: z.boolean().nullish() }));
    await deps.sql
      .begin(async (sql) => {
        // Before the account is locked: joining a team locks the team first.
        await sql`select private.release_account(${readId(context)})`;
        const user = await requireAccount(context, sql, lockAnyUser);
        await dropFlows(sql, user.id);
        if (body.should_soft_delete) await emptyAccount(sql, deps, user);
        else await sql`delete from auth.users where id = ${user.id}`;
        const action = body.should_soft_delete ? "account.emptied" : "account.erased";
        await noteKeyUse(sql, action, user.id);
      })
      .catch((error: unknown) => {
        if (!(error instanceof postgres.PostgresError) || error.code !== LAST_OWNER) throw error;
        throw new AuthError(
          409,
          "conflict",
          "User is the last owner of an organization: transfer or end it first",
        );
      });
    return context.json({});
  });
};

/** The account that the address names, as it is found. */
export async function requireAccount(
  context: Context,
  sql: ISql,
  find: typeof lockAnyUser = findAnyUser,
): Promise<UserRow> {
  const user = await find(sql, readId(context));
  if (user === null) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

function readId(context: Context): string {
  const id = z.uuid().safeParse(context.req.param("user_id"));
  if (!id.success) throw new AuthError(404, "validation_failed", "user_id must be an UUID");
  return id.data;
}

/** Names of the given fields of an account, without their values. */
function namesOf(wanted: WantedUser): string {
  return Object.entries(wanted)
    .filter(([name, value]) => name !== "id" && value !== null && value !== false)
    .map(([name]) => name)
    .join(", ");
}

/** Hash of the password that was given, of which no request's turn waits; null takes it away, or gives none. */
async function hashOf({ password, passwordHash }: WantedUser): Promise<string | null> {
  if (passwordHash !== null) return passwordHash;
  return password ? hashAtOnce(password) : null;
}

async function changeAccount(
  sql: TransactionSql,
  deps: AuthDeps,
  before: UserRow,
  wanted: WantedUser & { newHash: string | null },
): Promise<UserRow> {
  const { id } = before;
  const { newHash } = wanted;
  const now = deps.now();
  if (before.deleted_at !== null) {
    throw new AuthError(404, "user_not_found", "User not found");
  }
  await refuseTaken(sql, before, wanted);
  await confirmContacts(sql, deps, before, wanted);
  await replaceContacts(sql, before, wanted, now);
  const present = await lockAnyUser(sql, id);
  if (present === null) throw new AuthError(404, "user_not_found", "User not found");
  const replacesPassword = wanted.password !== null || wanted.passwordHash !== null;
  const change: UserChange = {
    ...(replacesPassword && { encrypted_password: newHash }),
    ...(wanted.userMetadata !== null && {
      raw_user_meta_data: mergedMetadata(present.raw_user_meta_data, wanted.userMetadata),
    }),
    ...(wanted.appMetadata !== null && {
      raw_app_meta_data: mergedMetadata(present.raw_app_meta_data, wanted.appMetadata),
    }),
    ...(wanted.banMs !== null && { banned_until: bannedUntil(wanted.banMs, now) }),
  };
  const user = await updateUser(sql, id, change, now);
  if (replacesPassword) {
    // A person who knew the old password is locked out, and tokens sent before are void.
    await sql`delete from auth.one_time_tokens where user_id = ${id}`;
    await dropFlows(sql, id);
  }
  // A token holds for an hour, and is worth nothing without its session.
  if (replacesPassword || wanted.banMs) await sql`delete from auth.sessions where user_id = ${id}`;
  // The password is the operator's own word now, and the address they vouch for.
  if (newHash !== null && user.confirmed_at !== null) await proveAccount(sql, id);
  return user;
}

async function refuseTaken(
  sql: TransactionSql,
  { id }: UserRow,
  { email, phone }: WantedUser,
): Promise<void> {
  const byEmail = email === null ? null : await findUserByEmail(sql, email);
  if (byEmail !== null && byEmail.id !== id) throw emailExists();
  const byPhone = phone === null ? null : await findUserByPhone(sql, phone);
  if (byPhone !== null && byPhone.id !== id) throw phoneExists();
}

/** Confirms a waiting address or number on the operator's word; of several sign-ups it is unknown whose password was stored. */
async function confirmContacts(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
  wanted: WantedUser,
): Promise<void> {
  if (!wanted.confirmsEmail && !wanted.confirmsPhone) return;
  const password = (await countSignUps(sql, user.id)) > 1 ? "dropped" : "kept";
  if (wanted.confirmsEmail && user.email !== null) await confirmEmail(sql, deps, user, password);
  if (wanted.confirmsPhone && user.phone !== null) await confirmPhone(sql, deps, user, password);
}

/** Gives an account another address or number at once: the operator vouches, no confirmation is sent. */
async function replaceContacts(
  sql: TransactionSql,
  { id }: UserRow,
  { email, phone, confirmsEmail, confirmsPhone }: WantedUser,
  now: Date,
): Promise<void> {
  if (email === null && phone === null) return;
  if (email !== null) {
    const data = { email, email_verified: confirmsEmail };
    await mergeIdentity(sql, { userId: id, provider: "email", data }, now);
  }
  if (phone !== null) {
    const data = { phone, phone_verified: confirmsPhone };
    await mergeIdentity(sql, { userId: id, provider: "phone", data }, now);
  }
  await refreshProviders(sql, id);
  // A link on its way to the former address changes nothing any more.
  await sql`delete from auth.one_time_tokens where user_id = ${id}`;
  await updateUser(
    sql,
    id,
    {
      ...(email !== null && { email, email_change: null, email_change_confirm_status: 0 }),
      ...(phone !== null && { phone, phone_change: null }),
      ...(email !== null && confirmsEmail && { email_confirmed_at: now, is_anonymous: false }),
      ...(phone !== null && confirmsPhone && { phone_confirmed_at: now, is_anonymous: false }),
    },
    now,
  );
}

/** Leaves an account's row alone, without anything of its person: what refers to it goes on referring. */
async function emptyAccount(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  { id, deleted_at }: UserRow,
): Promise<void> {
  if (deleted_at !== null) return;
  const now = deps.now();
  await dropWaysIn(sql, id);
  await updateUser(
    sql,
    id,
    {
      deleted_at: now,
      email: null,
      phone: null,
      email_change: null,
      phone_change: null,
      encrypted_password: null,
      raw_user_meta_data: {},
      raw_app_meta_data: {},
    },
    now,
  );
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

function readPage(context: Context): { page: number; perPage: number } {
  const read = (name: string, otherwise: number): number => {
    const text = context.req.query(name) || String(otherwise);
    const parsed = wholeNumber.safeParse(text);
    if (parsed.success) return parsed.data;
    throw invalid(`Bad Pagination Parameters: parsing ${JSON.stringify(text.slice(0, 30))}`);
  };
  const perPage = read("per_page", PER_PAGE);
  if (perPage === 0) throw invalid("Bad Pagination Parameters: per_page must be above 0");
  return { page: Math.max(1, read("page", 1)), perPage: Math.min(perPage, MAX_PER_PAGE) };
}

function readDirection(context: Context): "asc" | "desc" {
  const sort = context.req.query("sort");
  if (sort === undefined) return "desc";
  const [, direction = "desc"] = /^created_at(?: (asc|desc))?$/i.exec(sort) ?? [null, null];
  if (direction === null) throw invalid("Bad Sort Parameters: only created_at asc or desc");
  return direction.toLowerCase() === "asc" ? "asc" : "desc";
}

/** Where the list goes on and ends, as the official client takes it apart: `page` is the first parameter. */
function linksOf(context: Context, page: number, lastPage: number): string {
  const { searchParams } = new URL(context.req.url);
  const link = (number: number, relation: string) => {
    searchParams.set("page", String(number));
    searchParams.sort();
    return `</admin/users?${searchParams}>; rel="${relation}"`;
  };
  return [...(lastPage > page ? [link(page + 1, "next")] : []), link(lastPage, "last")].join(", ");
}
