import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { readBackupState } from "../../server/backup/backup-state.ts";
import { openBackup } from "../../server/backup/open-backup.ts";
import type { BackupConfig } from "../../server/config/backup.ts";
import { readBackupPassphrase, readSecrets } from "../../server/config/secrets.ts";
import { nextBackup, waitForBackup } from "../../server/jobs/daily-backup.ts";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { openData } from "../../server/start/data.ts";
import {
  addFactor,
  codeAt,
  signIn,
  takeSecondStep,
  tokenOf,
} from "../conformance/support/second-factor.ts";
import { secondsFromNow } from "../harness/clock.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { isRoot, readPostmaster } from "../harness/program.ts";
import { createTestClient } from "../harness/server.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import {
  needOrdinaryPerson,
  openAdmin,
  removeAtEnd,
  says,
  startProgram,
  temporaryFolder,
  usedFolders,
} from "./program.ts";

const PASSPHRASE = "une phrase de passe d'essai";
/** Settings of a service that people reach. */
const SERVICE = {
  PUBLIC_URL: "https://avis.exemple.fr",
  SMTP_URL: "smtps://compte:secret@courrier.exemple.fr:465",
  MAIL_FROM: "a@exemple.fr",
  PAYMENTS: "off",
};
const NOBODY = 65_534;

const usedFolder = usedFolders();

/** Runs one of the commands to its end. */
async function run(
  argv: string[],
  env: Record<string, string>,
  { asNobody = false } = {},
): Promise<{ code: number | null; output: string; complaint: string }> {
  const program = startProgram({ argv, env, asNobody });
  program.url.catch(() => undefined);
  const { code } = await program.ended;
  return { code, output: program.output(), complaint: program.complaint() };
}

/** Starts a server and waits until it answers. */
async function serve(dataFolder: string, env: Record<string, string> = {}) {
  const program = startProgram({
    env: { TOURNAVIS_DATA: dataFolder, ...env },
    argv: ["--no-demo"],
  });
  const at = await program.url;
  return { ...program, at };
}

/** Skips a test that only root can run; says so. */
function needRoot(skip: Skip): void {
  if (isRoot()) return;
  skipAloud(skip, "only root writes for others");
}

/** A folder as systemd makes it for a service with an account of its own. */
async function closedFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), "data");
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, NOBODY, NOBODY);
  removeAtEnd(folder);
  return folder;
}

async function ownersOf(...paths: string[]): Promise<number[]> {
  return [...new Set(await Promise.all(paths.map(async (path) => (await stat(path)).uid)))];
}

async function stop(program: ReturnType<typeof startProgram>): Promise<void> {
  program.signal("SIGTERM");
  await program.ended;
}

async function remember(dataFolder: string): Promise<void> {
  const sql = await openAdmin(dataFolder);
  await sql`insert into public.organizations (name, slug) values ('Chez Jeanne', 'chez-jeanne')`;
  await sql.end();
}

async function remembered(dataFolder: string): Promise<number> {
  const sql = await openAdmin(dataFolder);
  const rows = await sql`select from public.organizations where slug = 'chez-jeanne'`;
  await sql.end();
  return rows.length;
}

async function keyOf(at: string): Promise<string> {
  const { publishable_key } = await (await fetch(`${at}/config.json`)).json();
  return publishable_key;
}

// A test starts several programs, one after the other.
const PROGRAMS = { timeout: 240_000 };

describe("npm run backup and npm run restore", PROGRAMS, () => {
  it("move an installation to another folder while its server runs, and again while none does", async () => {
    const folder = await usedFolder();
    const files = await temporaryFolder();
    const first = await serve(folder);
    await remember(folder);
    const key = await keyOf(first.at);
    const file = join(files, "pendant.zip");
    const env = { BACKUP_PASSPHRASE: PASSPHRASE };
    const made = await run(["backup", file], { ...env, TOURNAVIS_DATA: folder });
    expect(made).toMatchObject({ code: 0 });
    expect(made.output).toContain(file);
    expect(made.output + made.complaint).not.toContain(PASSPHRASE);
    // The server was left alone.
    expect(await keyOf(first.at)).toBe(key);
    await stop(first);

    const moved = await temporaryFolder();
    const restored = await run(["restore", file], { ...env, TOURNAVIS_DATA: moved });
    expect(restored).toMatchObject({ code: 0 });
    expect(await readPostmaster(moved)).toBeNull();

    // Without a server the command starts the database itself, and stops it.
    const again = await run(["backup"], { ...env, TOURNAVIS_DATA: moved });
    expect(again).toMatchObject({ code: 0 });
    expect(await readPostmaster(moved)).toBeNull();
    expect((await readdir(join(moved, "backups"))).join()).toMatch(
      /^tournavis-manual-[\dTZ-]+\.zip$/,
    );

    const second = await serve(moved);
    expect(await keyOf(second.at)).toBe(key);
    expect(await remembered(moved)).toBe(1);
    await stop(second);

    // Into what holds something, nothing is restored.
    const refused = await run(["restore", file], { ...env, TOURNAVIS_DATA: moved });
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.complaint).toMatch(/pas vide/);
  });

  it("refuse in one line what they cannot do, before anything is made", async () => {
    const folder = await usedFolder();
    const file = join(folder, "sauvegarde.zip");
    const given = { BACKUP_PASSPHRASE: PASSPHRASE };
    expect(await run(["backup", file], { ...given, TOURNAVIS_DATA: folder })).toMatchObject({
      code: 0,
    });
    // No attempt was made: the last one has not failed. Nothing is asked for before either.
    const state = await readBackupState(folder);
    const again = await run(["backup", file], { TOURNAVIS_DATA: folder });
    expect(again.complaint).toMatch(/^[^\n]+sauvegarde\.zip existe déjà[^\n]+\n$/);
    expect(await readBackupState(folder)).toEqual(state);
    const empty = await temporaryFolder();
    const refusals = [
      [["restore", file], { TOURNAVIS_DATA: empty }, /BACKUP_PASSPHRASE/],
      [
        ["restore", file],
        { TOURNAVIS_DATA: empty, BACKUP_PASSPHRASE: `${PASSPHRASE}.` },
        /n'ouvre pas/,
      ],
      [["restore"], { ...given, TOURNAVIS_DATA: empty }, /Quelle sauvegarde/],
      [["restore", join(empty, "aucune.zip")], { ...given, TOURNAVIS_DATA: empty }, /ENOENT/],
      [["backup"], { ...given, TOURNAVIS_DATA: empty }, /Aucune base/],
      [["backup", "--vite"], { ...given, TOURNAVIS_DATA: empty }, /--vite/],
    ] as const;
    for (const [argv, env, sentence] of refusals) {
      const { code, complaint } = await run([...argv], env);
      expect(code, argv.join(" ")).toBeGreaterThan(0);
      expect(complaint).toMatch(sentence);
      expect(complaint).toMatch(/^[^\n]+\n$/);
      expect(await readdir(empty)).toEqual([]);
    }
    // Secrets of another installation are not overwritten.
    await mkdir(join(empty, "secrets"));
    await writeFile(join(empty, "secrets", "hash-key"), "d'ailleurs\n");
    const { complaint } = await run(["restore", file], { ...given, TOURNAVIS_DATA: empty });
    expect(complaint).toContain("hash-key");
    expect(await readdir(empty)).toEqual(["secrets"]);
  });

  it("that root runs leave the server's own account all that it needs", async ({ skip }) => {
    needRoot(skip);
    const made = await usedFolder();
    const served = await closedFolder();
    spawnSync("cp", ["-a", `${made}/.`, served]);
    spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, served]);
    const env = { TOURNAVIS_DATA: served, BACKUP_PASSPHRASE: PASSPHRASE };
    const backedUp = await run(["backup"], env);
    expect(backedUp).toMatchObject({ code: 0 });
    const backups = join(served, "backups");
    const [name = ""] = await readdir(backups);
    expect(
      await ownersOf(served, backups, join(backups, name), join(served, "backup.json")),
    ).toEqual([NOBODY]);

    // As after the loss of a machine: the service's folder is there, closed to everybody else, and root brings back what was in it.
    const empty = await closedFolder();
    const restored = await run(["restore", join(backups, name)], { ...env, TOURNAVIS_DATA: empty });
    expect(restored).toMatchObject({ code: 0 });
    const secrets = join(empty, "secrets");
    const names = (await readdir(secrets)).map((secret) => join(secrets, secret));
    expect(names.length).toBeGreaterThan(3);
    expect(await ownersOf(join(empty, "pg"), secrets, ...names)).toEqual([NOBODY]);
    const program = startProgram({ env: { TOURNAVIS_DATA: empty }, argv: [], asNobody: true });
    await program.url;
  });

  it("that are broken off leave neither a database nor a part of a file, and say so", async () => {
    const folder = await usedFolder();
    const given = { TOURNAVIS_DATA: folder, BACKUP_PASSPHRASE: PASSPHRASE };
    const files = await temporaryFolder();
    const file = join(files, "sauvegarde.zip");
    expect(await run(["backup", file], given)).toMatchObject({ code: 0 });
    // Ctrl-C under npm comes twice at once.
    const breakOff = async (program: ReturnType<typeof startProgram>) => {
      program.signal("SIGINT");
      program.signal("SIGINT");
      const { code } = await program.ended;
      return { code, complaint: program.complaint() };
    };

    const server = await serve(folder);
    // Within a transaction, what others do is seen as it was at first.
    const [sql, watch] = [await openAdmin(folder), await openAdmin(folder)];
    await sql.begin(async (holding) => {
      await holding`lock table public.organizations in access exclusive mode`;
      const waiting = startProgram({ argv: ["backup", join(files, "autre.zip")], env: given });
      waiting.url.catch(() => undefined);
      for (;;) {
        const found = await watch`
          select from pg_stat_activity where application_name = 'tournavis backup' and wait_event_type = 'Lock'`;
        if (found.count > 0) break;
        await turn();
      }
      expect(await breakOff(waiting)).toEqual({
        code: 1,
        complaint: expect.stringContaining("interrompue"),
      });
    });
    expect(await readdir(files)).toEqual(["sauvegarde.zip"]);
    await stop(server);

    const moved = await temporaryFolder();
    const env = { ...given, TOURNAVIS_DATA: moved };
    const restoring = startProgram({ argv: ["restore", file], env });
    restoring.url.catch(() => undefined);
    while ((await readPostmaster(moved)) === null) await turn();
    expect(await breakOff(restoring)).toEqual({
      code: 1,
      complaint: expect.stringContaining("interrompue"),
    });
    expect(await readPostmaster(moved)).toBeNull();
    expect(await run(["restore", file], env)).toMatchObject({ code: 0 });
  });

  it("serve an ordinary person", async ({ skip }) => {
    needOrdinaryPerson(skip);
    const folder = await usedFolder();
    const home = await temporaryFolder();
    const file = join(home, "sauvegarde.zip");
    const env = { BACKUP_PASSPHRASE: PASSPHRASE };
    expect(await run(["backup", file], { ...env, TOURNAVIS_DATA: folder })).toMatchObject({
      code: 0,
    });
    if (isRoot()) for (const path of [home, file]) await chown(path, NOBODY, NOBODY);
    const data = join(home, "data");
    const options = { asNobody: true };
    expect(await run(["restore", file], { ...env, TOURNAVIS_DATA: data }, options)).toMatchObject({
      code: 0,
    });
    expect(await run(["backup"], { ...env, TOURNAVIS_DATA: data }, options)).toMatchObject({
      code: 0,
    });
  });
});

describe("a restoration without the passphrase", PROGRAMS, () => {
  const clientOf = async (at: string) => createTestClient(at, await keyOf(at));

  it("brings back rows, accounts and what is printed, and says what went with the keys", async () => {
    const folder = await usedFolder();
    const first = await serve(folder);
    const sql = await openAdmin(folder);
    const shop = await createOrganization(sql, { plan: "pro" });
    const { owner, admin } = shop.users;
    const campaign = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
    const { body } = await spin(sql, { campaignId: campaign.id });
    const won = spinResult.parse(JSON.parse(body ?? ""));
    const { key } = await createApiKey(sql, { orgId: shop.id });
    const person = await signIn(await clientOf(first.at), owner);
    const app = await addFactor(person, secondsFromNow(0));
    // A second factor ends all other sessions, and their devices are swept.
    const sessionId = String(decodeJwt(await tokenOf(person)).session_id);
    await sql`
      insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
      values (${shop.id}, ${owner.id}, ${sessionId}, 'https://push.exemple.fr/1',
        ${`B${"a".repeat(86)}`}, ${"b".repeat(22)}, 'Chrome')`;
    const { data: codes } = await person.rpc("create_recovery_codes");
    const staff = await signIn(await clientOf(first.at), admin);
    const { data: kept } = await staff.auth.getSession();
    await staff.auth.resetPasswordForEmail(admin.email);
    const mailed = async (): Promise<{ url: string; code: string }> => {
      for (;;) {
        const [mail] = await sql<{ data: { url: string; code: string } }[]>`
          select data from private.outbox where template = 'recovery'`;
        if (mail) return mail.data;
        await turn();
      }
    };
    const { url, code } = await mailed();
    expect(url).toContain("/verify?");

    // The server's own run of this job may come before the backup or not.
    await sql`select private.sweep_push_devices(10)`;
    const file = join(await temporaryFolder(), "sauvegarde.zip");
    const given = { BACKUP_PASSPHRASE: PASSPHRASE, TOURNAVIS_DATA: folder };
    expect(await run(["backup", file], given)).toMatchObject({ code: 0 });
    await stop(first);

    const moved = await temporaryFolder();
    const env = { TOURNAVIS_DATA: moved };
    // The refusals name the way; to make a backup it is none.
    for (const wrong of [{}, { BACKUP_PASSPHRASE: `${PASSPHRASE}.` }]) {
      const refused = await run(["restore", file], { ...env, ...wrong });
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.complaint).toContain("--without-secrets");
    }
    const backup = await run(["backup", "--without-secrets"], given);
    expect(backup).toMatchObject({ code: 1, complaint: expect.stringMatching(/Argument inconnu/) });
    expect(await readdir(moved)).toEqual([]);

    const restored = await run(["restore", file, "--without-secrets"], env);
    expect(restored).toMatchObject({ code: 0 });
    const [, sessions] = /sessions terminées : (\d+)/.exec(restored.output) ?? [];
    expect(Number(sessions)).toBeGreaterThan(3);
    expect(restored.output).toMatch(/ne servent plus : 1\./);
    expect(restored.output).toMatch(/oubliés : 1\./);
    expect(await readdir(join(moved, "secrets"))).toEqual(["database-password"]);

    const second = await serve(moved);
    const left = await openAdmin(moved);
    for (const table of ["auth.sessions", "auth.refresh_tokens", "private.push_devices"]) {
      expect(await left`select from ${left(table)}`, table).toHaveLength(0);
    }
    expect(await keyOf(second.at)).not.toBe((await readSecrets(folder)).publishableKey);
    const { error: ended } = await (await clientOf(second.at)).auth.refreshSession({
      refresh_token: kept.session?.refresh_token ?? "",
    });
    expect(ended?.code).toBe("refresh_token_not_found");

    // API keys, links of mails and prizes have no key.
    const api = await fetch(`${second.at}/rest/v1/stores?select=id`, { headers: { apikey: key } });
    expect(await api.json()).toEqual([{ id: shop.storeId }]);
    const { pathname, search } = new URL(url);
    const followed = await fetch(new URL(pathname + search, second.at), { redirect: "manual" });
    expect(followed.headers.get("location")).not.toContain("error");
    const late = await (await clientOf(second.at)).auth.verifyOtp({
      email: admin.email,
      token: code,
      type: "recovery",
    });
    expect(late.error?.code).toBe("otp_expired");
    const again = await signIn(await clientOf(second.at), admin);
    const used = await fetch(`${second.at}/functions/v1/redeem`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await tokenOf(again)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ code: won.redemption_code, store_id: shop.storeId }),
    });
    expect(await used.json()).toMatchObject({ code: won.redemption_code });

    // An account with a second factor opens to nobody who has the password alone, until a recovery code takes it off.
    const back = await signIn(await clientOf(second.at), owner);
    const { error: refused } = await back.auth.mfa.challengeAndVerify({
      factorId: app.factorId,
      code: codeAt(app, secondsFromNow(0)),
    });
    expect(`${refused?.status} ${refused?.code}`).toBe("422 mfa_verification_failed");
    expect((await back.from("stores").select("id")).error?.code).toBe("TV010");
    const { data: opened } = await back.rpc("use_recovery_code", { p_code: codes?.[0] ?? "" });
    expect(opened).toMatchObject({ outcome: "recovered" });
    const free = await signIn(await clientOf(second.at), owner);
    expect((await free.from("stores").select("id")).data).toHaveLength(1);
    await stop(second);
  });

  it("leaves what the keys in the folder still open", async () => {
    const folder = await usedFolder();
    const first = await serve(folder);
    const sql = await openAdmin(folder);
    const { owner } = (await createOrganization(sql)).users;
    const app = await addFactor(await signIn(await clientOf(first.at), owner), secondsFromNow(0));
    const file = join(folder, "sauvegarde.zip");
    const given = { BACKUP_PASSPHRASE: PASSPHRASE, TOURNAVIS_DATA: folder };
    expect(await run(["backup", file], given)).toMatchObject({ code: 0 });
    await stop(first);
    await rename(join(folder, "pg"), join(folder, "pg-lost"));
    const restored = await run(["restore", file, "--without-secrets"], { TOURNAVIS_DATA: folder });
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.output).toMatch(/ne servent plus : 0\./);
    const second = await serve(folder);
    const back = await signIn(await clientOf(second.at), owner);
    await takeSecondStep(back, app, secondsFromNow(30));
    await stop(second);
  });
});

describe("the daily backup", PROGRAMS, () => {
  const at = (time: string) => new Date(`2026-03-${time}Z`);

  it.each([
    ["later the same day", "10T01:00:00", null, "10T03:30:00"],
    ["the next day, once it was made", "10T03:30:00", null, "11T03:30:00"],
    ["the next day, when it was late", "10T09:00:00", null, "11T03:30:00"],
    ["an hour after it failed", "10T03:30:05", "ENOSPC", "10T04:30:05"],
  ])("is due %s", (_when, attempted, failure, due) => {
    expect(nextBackup({ attemptedAt: at(attempted), failure }, 210)).toEqual(at(due));
  });

  it("waits no longer than a day for a clock that was ahead when the last was made", () => {
    const attemptedAt = at("10T03:30:00");
    const state = { attemptedAt, failure: null };
    const back = new Date("2024-03-10T12:00:00Z");
    expect(waitForBackup(state, 210, at("10T04:30:00"))).toBe(23 * 3_600_000);
    expect(waitForBackup(state, 210, back)).toBeLessThanOrEqual(0);
    expect(waitForBackup({ ...state, failure: "ENOSPC" }, 210, back)).toBeLessThanOrEqual(0);
  });

  /** A folder whose last backup is years old: the next is due when the server starts. */
  async function overdueFolder(): Promise<string> {
    const folder = await usedFolder();
    const state = { attemptedAt: "2020-01-01T00:00:00Z", failure: null, last: null };
    await writeFile(join(folder, "backup.json"), JSON.stringify(state));
    return folder;
  }

  async function attempted(folder: string) {
    for (;;) {
      const state = await readBackupState(folder);
      if (state && state.attemptedAt.getUTCFullYear() > 2020) return state;
      await turn();
    }
  }

  it("is made when it is due, shown on /metrics, and brings the data back without a word", async () => {
    const folder = await overdueFolder();
    const backups = join(folder, "backups");
    await mkdir(backups, { recursive: true });
    const old = "tournavis-daily-2020-01-01T033000Z.zip";
    const manual = "tournavis-manual-2020-01-01T033000Z.zip";
    for (const name of [old, manual]) await writeFile(join(backups, name), "");
    const program = await serve(folder);
    const { last, failure } = await attempted(folder);
    expect(failure).toBeNull();
    expect(last?.bytes).toBeGreaterThan(10_000);
    const metrics = await (await fetch(`${program.at}/metrics`)).text();
    expect(metrics).toMatch(/^backup_last_success_timestamp_seconds [1-9][\d.e+]+$/m);
    expect(metrics).toContain(`backup_last_success_bytes ${last?.bytes}\n`);
    expect(metrics).toContain("backup_last_failed 0\n");
    await stop(program);
    const names = (await readdir(backups)).sort();
    expect(names).toEqual([expect.stringMatching(/^tournavis-daily-20[23]/), manual]);
    expect(names).not.toContain(old);

    // The database is lost, the rest of the folder is not.
    await rename(join(folder, "pg"), join(folder, "pg-lost"));
    const restored = await run(["restore", join(backups, names[0] ?? "")], {
      TOURNAVIS_DATA: folder,
    });
    expect(restored).toMatchObject({ code: 0 });
  });

  it("makes room where it found none: what is too old goes although it failed", async () => {
    const folder = await overdueFolder();
    const backups = join(folder, "backups");
    await mkdir(backups, { recursive: true });
    const [old, newest] = ["2020-01-01", "2020-01-02"].map(
      (day) => `tournavis-daily-${day}T033000Z.zip`,
    );
    const unfinished = `${newest}.7.partial`;
    for (const name of [old, newest, unfinished]) await writeFile(join(backups, name ?? ""), "");
    // As on a disk that is full, a backup is begun and fails: a secret that nobody can read comes before its first byte.
    await mkdir(join(folder, "secrets", "of-nobody"));
    const program = await serve(folder);
    expect((await attempted(folder)).failure).toBe("backup_secrets_unreadable");
    await says(program, "backup_failed");
    await stop(program);
    expect(await readdir(backups)).toEqual([newest]);
  });

  it("says at the start that it has nowhere to go, long before it is due", async () => {
    const folder = await usedFolder();
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const program = await serve(folder, { BACKUP_FOLDER: join(file, "backups") });
    await says(program, "backup_folder_unwritable");
    expect(program.output()).toContain("code=backup_unwritable");
    expect((await readBackupState(folder))?.failure ?? null).toBe(null);
    await stop(program);
  });

  it.each([
    ["where its passphrase is on the data's disk alone", {}, true],
    ["not where somebody has it", { BACKUP_PASSPHRASE: PASSPHRASE }, false],
    ["not where there is none", { BACKUP_AT: "off" }, false],
  ])("warns a real service %s", async (_where, env, warns) => {
    const folder = await usedFolder();
    const program = startProgram({
      env: { TOURNAVIS_DATA: folder, ...SERVICE, ...env },
      argv: ["--no-demo"],
    });
    await says(program, '"event":"operator_incomplete"');
    await stop(program);
    expect(program.output().includes("backup_passphrase_here_alone")).toBe(warns);
  });

  it("says in the log and on /metrics that it failed", async () => {
    const folder = await overdueFolder();
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const program = await serve(folder, { BACKUP_FOLDER: join(file, "backups") });
    expect((await attempted(folder)).failure).toBe("backup_unwritable");
    while (!program.output().includes("backup_failed"))
      await once(program.child.stdout ?? process, "data");
    expect(program.output()).toContain("code=backup_unwritable");
    const metrics = await (await fetch(`${program.at}/metrics`)).text();
    expect(metrics).toContain("backup_last_failed 1\n");
    expect(metrics).toContain("backup_last_success_timestamp_seconds 0\n");
    await stop(program);
  });
});

describe("a migration of the embedded database", PROGRAMS, () => {
  const backup: BackupConfig = { at: null, keepDays: 1, folder: null, passphrase: null };

  /** This code's migrations, and more. */
  async function migrations(more: Record<string, string>): Promise<URL> {
    const folder = await temporaryFolder();
    for (const { file } of await listMigrations()) {
      const name = file.pathname.split("/").at(-1) ?? "";
      await cp(file, join(folder, name));
    }
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text);
    return pathToFileURL(`${folder}/`);
  }

  it("is preceded by a backup, and leaves what was there when it fails", async () => {
    const folder = await usedFolder();
    const config = { dataFolder: folder, databaseUrl: null, backup };
    const earlier = ["01", "02", "03"].map(
      (day) => `tournavis-before-migration-2026-01-${day}T030000Z.zip`,
    );
    await mkdir(join(folder, "backups"), { recursive: true });
    for (const name of earlier) await writeFile(join(folder, "backups", name), "");
    const later = await migrations({
      "29990101000000_good.sql": "create table public.of_the_good_one (id integer);",
      "29990101000001_bad.sql": "select 1 / 0;",
    });
    const failed = openData(config, { migrations: later });
    await expect(failed).rejects.toMatchObject({ code: "migration_failed" });
    await expect(failed).rejects.toThrow(/29990101000001.*22012.*telle qu'elle était/);
    const names = (await readdir(join(folder, "backups"))).sort();
    // The newest three stay.
    expect(names).toEqual([
      ...earlier.slice(1),
      expect.stringMatching(/^tournavis-before-migration-/),
    ]);
    const made = await openBackup(join(folder, "backups", names[2] ?? ""));
    onTestFinished(() => made.close());
    expect(made.manifest.migrations).toHaveLength((await listMigrations()).length);
    expect(await made.unseal(await readBackupPassphrase(folder))).toHaveProperty("hash-key");

    // The code from before goes on, and makes no further backup: nothing is due.
    const data = await openData(config);
    const [row] = await data.admin`select to_regclass('public.of_the_good_one') as table`;
    await data.close();
    expect(row).toEqual({ table: null });
    expect((await readdir(join(folder, "backups"))).sort()).toEqual(names);
  });

  it("is not made where no backup can be", async () => {
    const folder = await usedFolder();
    const config = { dataFolder: folder, databaseUrl: null, backup };
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const later = await migrations({
      "29990101000000_good.sql": "create table public.of_the_good_one (id integer);",
    });
    await expect(
      openData({ ...config, backup: { ...backup, folder: file } }, { migrations: later }),
    ).rejects.toMatchObject({ code: "backup_unwritable" });
    const data = await openData(config);
    const [row] = await data.admin`select to_regclass('public.of_the_good_one') as table`;
    await data.close();
    expect(row).toEqual({ table: null });
  });

  it("is refused where an earlier one was edited, saying the way out", async () => {
    const folder = await usedFolder();
    const [first] = await listMigrations();
    const name = first?.file.pathname.split("/").at(-1) ?? "";
    const text = first ? await readFile(first.file, "utf8") : "";
    const edited = await migrations({ [name]: `${text}-- edited\n` });
    const refused = openData(
      { dataFolder: folder, databaseUrl: null, backup },
      { migrations: edited },
    );
    await expect(refused).rejects.toMatchObject({ code: "migration_edited" });
    await expect(refused).rejects.toThrow(/npm run backup/);
  });
});
