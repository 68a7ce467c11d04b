import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { expect, it } from "vitest";
import { judge } from "../chaos/books.ts";
import { Crowd, PEOPLE } from "../chaos/crowd.ts";
import { databaseProcesses, gone, killNow } from "../chaos/processes.ts";
import { openShop, openStaff } from "../chaos/shop.ts";
import { embeddedUrl, type Program } from "../harness/program.ts";
import { says, startProgram, temporaryFolder } from "./program.ts";

/**
 * Answers to customers stay true, whatever is killed and whenever. The product runs as its owner
 * runs it (its own PostgreSQL, writes waited for). Under load everything is killed at a random
 * moment, several times over, and after each start the books must balance.
 */

const ROUNDS = 20;

/** The kill comes after so many answers of a round, and then any time within this. */
const ANSWERS = 40;
const LOAD_MS = 200;

/** Victims of a kill: mostly everything at once, now and then the server or the database alone. */
function victims(round: number): "everything" | "server" | "database" {
  if (round % 4 !== 3) return "everything";
  return round % 8 === 3 ? "server" : "database";
}

/** Kills at once, as a power cut would, and waits until all of it is gone. */
async function kill(
  what: ReturnType<typeof victims>,
  program: Program,
  folder: string,
  sql: Sql,
  beforehand: () => void,
): Promise<void> {
  const { postmaster, servants } = await databaseProcesses(folder, sql);
  beforehand();
  if (what !== "database") program.signal("SIGKILL");
  if (what !== "server") {
    killNow([postmaster, ...servants]);
    await gone(postmaster);
  }
  if (what !== "database") await program.ended;
}

it("killed twenty times under load, it has lost nothing that it answered", {
  timeout: 1_200_000,
}, async () => {
  const folder = await temporaryFolder();
  const start = () =>
    startProgram({ env: { TOURNAVIS_DATA: folder, TRUST_PROXY: "1" }, argv: ["--no-demo"] });
  const open = async () => postgres(await embeddedUrl(folder), { max: 2, onnotice: () => {} });

  let program = start();
  let url = await program.url;
  let sql = await open();
  const shop = await openShop(sql);
  const crowd = new Crowd(shop, await openStaff(shop.organization, folder));
  const expectBooks = async () => {
    expect([...crowd.findings, ...(await judge(sql, shop, crowd.asked))]).toEqual([]);
  };

  let restarts = 0;
  let waiting = 0;
  let unanswered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const from = crowd.asked.length;
    const playing = crowd.play(url);
    // Whatever fails while they play is the end of it.
    await Promise.race([crowd.answers(ANSWERS), playing]);
    await pause(randomInt(LOAD_MS));
    const what = victims(round);
    await kill(what, program, folder, sql, () => {
      waiting += crowd.stop();
    });
    await playing;
    await sql.end({ timeout: 0 });
    unanswered += crowd.asked.filter(({ answer }) => answer === null).length;

    if (what === "database") {
      // The server starts it again by itself.
      await says(program, "database_back", ++restarts);
    } else {
      program = start();
      restarts = 0;
      url = await program.url;
    }
    sql = await open();
    await expectBooks();
    await crowd.askAgain(url, from);
    await expectBooks();
  }
  // There was a load, and it was cut off in the middle.
  expect(waiting).toBeGreaterThan(ROUNDS);
  expect(unanswered).toBeGreaterThan(0);
  expect(crowd.asked.length).toBeGreaterThan(ROUNDS * PEOPLE);

  // In the end every key is one turn, one review or one use, none more.
  await crowd.askAgain(url);
  await expectBooks();
  expect(crowd.asked.filter(({ answer }) => answer === null)).toEqual([]);
  process.stdout.write(`${crowd.late} answers met a time limit, and were asked for again.\n`);
  await sql.end();
});
