import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { STATEMENT_TIMEOUT_MS } from "../../server/postgres/timeouts.ts";
import { newAddress, playForReview, playOf, ratingOf } from "../database/support/calls.ts";
import { numbers } from "../harness/numbers.ts";
import type { Finding, Kind } from "./finding.ts";
import type { Shop, Staff } from "./shop.ts";

/** People under whose load things break: customers, a till and an owner who edits. Each remembers the responses that it received. */

export const PEOPLE = 24;

/** Longest that anybody asks again for what was not answered. */
const TIMEOUT_MS = 60_000;
const RETRY_MS = 100;

/** One of so many codes is used at the till, which is rate limited after 120 a minute. */
const CODES_A_USE = 10;

type Call = { path: string; body: object; headers?: Readonly<Record<string, string>> };

/** A request that may be sent again, under which key, and what was answered the first time (null: nobody knows). */
export type Asked = {
  kind: Kind;
  key: string;
  call: Call;
  answer: string | null;
  /** How often it was sent. */
  attempts: number;
};

/** A campaign's edit that was kept, and a refusal of the data API. */
const edited = z.object({ version: z.int() });
const editor = z.object({ campaign: z.object({ version: z.int(), name: z.string() }) });
const refusal = z.object({ code: z.string() });

/** Somebody saved a newer version. */
const CONFLICT = "TV062";

/** A statement met its time limit. */
const TIMED_OUT = "57014";

type Answer = { status: number; text: string; retryAfter: string | null };

/**
 * Outcome of a request: an answer; unknown, until it is sent again; late (what it was answered, and when), since a time limit ended
 * it with nothing written; or a finding, which is left at that.
 */
type Outcome = { told: string } | { late: string } | "unknown" | "left";

async function send(url: string, { path, body, headers }: Call): Promise<Answer> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": newAddress(),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, text: await response.text(), retryAfter };
}

function isRefusedWith(text: string, code: string): boolean {
  const parsed = refusal.safeParse(JSON.parse(text));
  return parsed.success && parsed.data.code === code;
}

function isConflict({ status, text }: Answer): boolean {
  return status >= 400 && status < 500 && isRefusedWith(text, CONFLICT);
}

/** Whether an answer says, after the time of one, that a statement met its time limit: on a machine that stood still it may. */
function isLate({ status, text, retryAfter }: Answer, waitedMs: number): boolean {
  if (waitedMs < STATEMENT_TIMEOUT_MS) return false;
  if (status === 503) return retryAfter !== null;
  return status === 500 && isRefusedWith(text, TIMED_OUT);
}

/** Customers who rate, play, ask again and use their codes, and an owner who edits, until they are stopped. */
export class Crowd {
  readonly asked: Asked[] = [];
  readonly findings: Finding[] = [];
  /** Answers that came late, and were asked for again. */
  late = 0;
  readonly #random: () => number;
  #isOver = false;
  #isTrouble = false;
  #inFlight = 0;
  #answered: (() => void)[] = [];
  #waiting: { from: number; resolve: (at: number) => void }[] = [];
  #version: number;

  /**
   * With `persists`, whoever gets no answer asks again until there is one; without, that is the end of their turn.
   * `codesAUse` of 1 uses every code.
   */
  constructor(
    private readonly shop: Shop,
    private readonly staff: Staff,
    private readonly options: { seed?: number; persists?: boolean; codesAUse?: number } = {},
  ) {
    this.#random = numbers(options.seed ?? 1);
    this.#version = shop.version;
  }

  /** Acts at a server; settles when everybody has stopped. */
  async play(url: string): Promise<void> {
    this.#isOver = false;
    this.#isTrouble = false;
    await Promise.all(
      Array.from({ length: PEOPLE }, async (_, place) => {
        for (let turn = place; !this.#isOver; turn++) {
          if (place === 0) await this.#edit(url);
          else await this.#act(url, turn);
        }
      }),
    );
  }

  /** Settles once so many more answers have come. */
  async answers(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await new Promise<void>((resolve) => this.#answered.push(resolve));
    }
  }

  /** From now on no answer, or « 503, later », is no surprise. */
  expectTrouble(): void {
    this.#isTrouble = true;
  }

  /** From now on nobody begins anything either. Answers who waits for an answer. */
  stop(): number {
    this.#isTrouble = true;
    this.#isOver = true;
    return this.#inFlight;
  }

  /** Settles with the moment at which something is answered that was asked at `from` or later (`performance.now()`). */
  answerSince(from: number): Promise<number> {
    return new Promise((resolve) => this.#waiting.push({ from, resolve }));
  }

  /** Everybody asks again, from the `from`th on: what was answered is answered again, the rest is made up for. */
  async askAgain(url: string, from = 0): Promise<void> {
    const queue = this.asked.slice(from).filter(isRepeatable);
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        await this.#ask(url, next);
      }
    };
    this.#isTrouble = false;
    await Promise.all(Array.from({ length: PEOPLE }, worker));
  }

  /** One more customer turns the wheel. */
  async spin(url: string): Promise<void> {
    const body = playOf(this.shop.campaign);
    await this.#spin(url, body.play_id, body);
  }

  async #act(url: string, turn: number): Promise<void> {
    if (turn % 7 === 6) {
      // Somebody whose network is bad asks again.
      const known = this.asked[Math.floor(this.#random() * this.asked.length)];
      if (known !== undefined && known.kind !== "edit") await this.#ask(url, known);
      return;
    }
    if (turn % 3 > 0) return this.spin(url);
    const { campaign } = this.shop;
    const body = ratingOf(campaign, { rating: 1 + (turn % 5) });
    const call = { path: "/functions/v1/review_record", body };
    const text = await this.#ask(url, this.#remember("review", body.visit_id, call));
    if (text === null) return;
    const { review_id } = reviewResponse.parse(JSON.parse(text));
    await this.#spin(url, review_id, playForReview(campaign, review_id));
  }

  async #spin(url: string, key: string, body: object): Promise<void> {
    const call = { path: "/functions/v1/spin_wheel", body };
    const text = await this.#ask(url, this.#remember("spin", key, call));
    const code = text === null ? null : spinResult.parse(JSON.parse(text)).redemption_code;
    const { codesAUse = CODES_A_USE } = this.options;
    if (code === null || this.#random() * codesAUse >= 1) return;
    const request_id = randomUUID();
    const redemption = {
      path: "/functions/v1/redeem",
      body: { code, store_id: this.shop.organization.storeId, request_id },
      headers: this.staff.cashier,
    };
    await this.#ask(url, this.#remember("redemption", request_id, redemption));
  }

  /** One person alone edits the campaign: nobody's version is newer but their own. */
  async #edit(url: string): Promise<void> {
    const { campaign, organization } = this.shop;
    const name = `Campagne ${randomUUID()}`;
    const call = {
      path: "/rest/v1/rpc/save_campaign",
      body: {
        p_id: campaign.id,
        p_version: this.#version,
        p_name: name,
        p_slug: campaign.slug,
        p_store_id: organization.storeId,
        p_active: true,
        p_play_interval_days: 1,
      },
      headers: this.staff.owner,
    };
    await this.#ask(url, this.#remember("edit", name, call));
  }

  #remember(kind: Kind, key: string, call: Call): Asked {
    const asked = { kind, key, call, answer: null, attempts: 0 };
    this.asked.push(asked);
    return asked;
  }

  /** Sends a request, again and again where it was late or nobody answers; null when it was left at that. */
  async #ask(url: string, asked: Asked): Promise<string | null> {
    this.#inFlight += 1;
    try {
      const until = performance.now() + TIMEOUT_MS;
      const answers: string[] = [];
      for (;;) {
        const from = performance.now();
        const outcome = await this.#once(url, asked);
        if (outcome === "left") return null;
        if (outcome === "unknown") {
          if (!this.options.persists) return null;
        } else if ("told" in outcome) {
          this.#tell(from);
          return outcome.told;
        } else {
          this.late += 1;
          answers.push(outcome.late);
        }
        if (performance.now() > until) {
          this.#find(asked, `no answer in ${TIMEOUT_MS / 1_000} s (${answers.join(", ")})`);
          return null;
        }
        await pause(RETRY_MS);
      }
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Tells whoever waits for answers of one to a request that was sent at `from`. */
  #tell(from: number): void {
    const at = performance.now();
    for (const resolve of this.#answered.splice(0)) resolve();
    const waiting = this.#waiting.splice(0);
    for (const one of waiting) {
      if (from >= one.from) one.resolve(at);
      else this.#waiting.push(one);
    }
  }

  /** Sends a request once. */
  async #once(url: string, asked: Asked): Promise<Outcome> {
    const isRepeated = asked.attempts > 0;
    asked.attempts += 1;
    const from = performance.now();
    const answer = await send(url, asked.call).catch((error: unknown) => {
      if (error instanceof TypeError) return null;
      throw error;
    });
    const waitedMs = performance.now() - from;
    if (answer !== null && isLate(answer, waitedMs)) {
      return { late: `${answer.status} after ${Math.round(waitedMs / 1_000)} s` };
    }
    const isHonest = answer === null || (answer.status === 503 && answer.retryAfter !== null);
    if (isHonest) {
      if (this.#isTrouble) return "unknown";
      return this.#find(asked, answer === null ? "no answer" : `503 ${answer.text}`);
    }
    if (asked.kind === "edit") return this.#edited(url, asked, answer, isRepeated);
    const { status, text } = answer;
    if (status >= 300) return this.#find(asked, `${status} ${text}`);
    asked.answer ??= text;
    if (asked.answer !== text) this.#find(asked, `first ${asked.answer}, then ${text}`);
    return { told: text };
  }

  /**
   * Outcome of an edit. An edit that was sent before may have been kept then: it is refused now,
   * and its name stands there.
   */
  async #edited(url: string, asked: Asked, answer: Answer, isRepeated: boolean): Promise<Outcome> {
    let { text } = answer;
    if (isRepeated && isConflict(answer)) {
      const call = {
        path: "/rest/v1/rpc/campaign_editor",
        body: { p_id: this.shop.campaign.id },
        headers: this.staff.owner,
      };
      const read = await send(url, call).catch(() => null);
      if (read?.status !== 200) return "unknown";
      const { campaign } = editor.parse(JSON.parse(read.text));
      if (campaign.name !== asked.key) {
        return this.#find(asked, `refused as older, and « ${campaign.name} » stands there`);
      }
      text = JSON.stringify({ version: campaign.version });
    } else if (answer.status >= 300) {
      return this.#find(asked, `${answer.status} ${text}`);
    }
    const { version } = edited.parse(JSON.parse(text));
    if (version !== this.#version + 1) {
      this.#find(asked, `version ${version} after ${this.#version}`);
    }
    this.#version = version;
    asked.answer = text;
    return { told: text };
  }

  #find({ kind, key }: Asked, detail: string): "left" {
    this.findings.push({ rule: "answer", kind, detail: `${key}: ${detail}` });
    return "left";
  }
}

/**
 * Whether a request may be sent again: all but an answered edit, which would be one of an older
 * version.
 */
function isRepeatable({ kind, answer }: Asked): boolean {
  return kind !== "edit" || answer === null;
}
