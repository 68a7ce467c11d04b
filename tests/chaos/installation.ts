import { readFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedUrl, type Program, spawnProgram } from "../harness/program.ts";
import type { Finding } from "./finding.ts";
import { killNow } from "./processes.ts";

/** An address of this machine's own, where nobody else takes the port while the server is away. */
const HOST = process.platform === "linux" ? "127.83.12.11" : "127.0.0.1";

/** Third death of the database within a minute: the server ends, for its supervisor to restart everything. */
const GAVE_UP = "database_died";

const TAIL = 2_000;

/** Unexpected exits after which it is not restarted. */
const MAX_FINDINGS = 5;

/** A server, and its origin once it, or the one that took its place, answers. */
type Run = { program: Program; ready: Promise<string> };

/** The product on a data folder, as somebody's machine runs it: whatever ends is started again at once, where it was. */
export class Installation {
  readonly findings: Finding[] = [];
  /** Starts after an end that the server decided on: its database had died three times within a minute. */
  gaveUp = 0;
  #now: Run;
  #isStopping = false;
  #port = "0";
  readonly #killed = new Set<Program>();
  readonly #end = () => this.#killAll();

  constructor(readonly folder: string) {
    process.prependOnceListener("exit", this.#end);
    this.#now = this.#start();
  }

  /** Origin of the server once it answers, after a start too; the same each time. */
  get url(): Promise<string> {
    return this.#now.ready;
  }

  /** Address of its database, for its administrator. */
  get databaseUrl(): Promise<string> {
    return embeddedUrl(this.folder);
  }

  /** Kills the server at once. */
  kill(): void {
    this.#killed.add(this.#now.program);
    this.#now.program.signal("SIGKILL");
  }

  /** Ends everything in order; what does not end so is a finding. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#now.program.signal("SIGTERM");
    const { code } = await this.#now.program.ended;
    if (code !== 0) this.#find(`it did not end in order: ${code}`);
    process.off("exit", this.#end);
  }

  #start(): Run {
    const program = spawnProgram({
      env: { TOURNAVIS_DATA: this.folder, TRUST_PROXY: "1", HOST, PORT: this.#port },
      argv: ["--no-demo"],
    });
    const ready = program.url.then(
      (url) => {
        this.#port = new URL(url).port;
        return url;
      },
      async (error: unknown) => {
        await program.ended;
        // Killed while it started: those who wait get the next one.
        if (this.#now.program !== program) return this.#now.ready;
        throw error;
      },
    );
    ready.catch(() => undefined);
    program.ended.then((ending) => {
      if (this.#isStopping) return;
      if (!this.#killed.has(program)) {
        if (program.output().includes(GAVE_UP)) this.gaveUp += 1;
        else this.#find(`it ended by itself: ${JSON.stringify(ending)}`);
      }
      if (this.findings.length < MAX_FINDINGS) this.#now = this.#start();
    });
    return { program, ready };
  }

  #find(detail: string): void {
    const said = `${this.#now.program.output()}${this.#now.program.complaint()}`.slice(-TAIL);
    this.findings.push({ rule: "end", detail: `${detail}\n${said}` });
  }

  /** Kills the remaining processes when this command ends in the middle. */
  #killAll(): void {
    this.#now.program.signal("SIGKILL");
    try {
      const text = readFileSync(join(this.folder, "pg", "postmaster.pid"), "utf8");
      killNow([Number.parseInt(text, 10)]);
    } catch {
      // There is no database.
    }
  }
}
