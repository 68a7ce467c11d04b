import { randomBytes, randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { numbers } from "../tests/harness/numbers.ts";
import type { SessionHeaders } from "../tests/harness/sessions.ts";

/** Stores of the franchise (`morning.sql`). */
const STORES = 500;

/** Longest that a customer's phone waits, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** When a customer asks for what, in milliseconds after coming: what they read and type is left out, or little would happen at once. */
const PACE = { page: 0, review: 500, wheel: 1_000, spin: 1_500, code: 2_500, till: 3_000 } as const;

/** One customer in so many is on the store's own Wi-Fi, which has one address; the others have one each. */
const WIFI = 3;

/** One prize in so many is used at once. */
const USES = 2;

/** Kinds of customers' requests. `files`: those that a page names, all of them at once. */
export const KINDS = ["page", "files", "review", "wheel", "spin", "code", "till"] as const;
type Kind = (typeof KINDS)[number];

/** How long the requests of a kind took in milliseconds, from the instant at which they were due; and what was no success. */
export type Waits = Record<Kind, number[]> & { errors: string[] };

function newWaits(): Waits {
  return {
    page: [],
    files: [],
    review: [],
    wheel: [],
    spin: [],
    code: [],
    till: [],
    errors: [],
  };
}

/** Body and headers of a request. */
type Sent = { body?: object; headers?: Record<string, string> };

const GZIP: Sent = { headers: { "accept-encoding": "gzip" } };

type Answer = { status: number; text: string; location: string | null };

/** Customers at a server; `staff` work at the tills. */
export class Customers {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #random: () => number;

  constructor(
    private readonly url: string,
    private readonly staff: readonly SessionHeaders[],
    seed: number,
  ) {
    this.#random = numbers(seed);
  }

  /**
   * Lets customers come at so many a second, at instants that do not heed whether those before were served; settles when the
   * last has left. Whoever comes in the first `leadMs` is not measured.
   */
  async come(perSecond: number, ms: number, leadMs = 0): Promise<Waits> {
    const waits = newWaits();
    const unmeasured = newWaits();
    const began = performance.now();
    const customers: Promise<void>[] = [];
    let due = 0;
    while (due < ms) {
      const early = began + due - performance.now();
      if (early > 0) await delay(early);
      const measured = due < leadMs ? unmeasured : waits;
      customers.push(this.#customer(began + due, measured));
      due += (-Math.log(1 - this.#random()) / perSecond) * 1_000;
    }
    await Promise.all(customers);
    waits.errors.push(...unmeasured.errors);
    return waits;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #customer(came: number, waits: Waits): Promise<void> {
    const store = Math.floor(this.#random() * STORES);
    const address =
      this.#random() * WIFI < 1
        ? `203.0.${store >> 8}.${store & 255}`
        : [10, ...randomBytes(3)].join(".");
    const ask = async (kind: Kind, path: string, options: Sent = {}) => {
      // A page's files are due once it is there.
      const due = kind === "files" ? performance.now() : came + PACE[kind];
      const early = due - performance.now();
      if (early > 0) await delay(early);
      const answer = await this.#send(address, path, options).catch((error: unknown) => ({
        status: 0,
        text: String(error),
        location: null,
      }));
      waits[kind].push(performance.now() - due);
      if (answer.status >= 200 && answer.status < 300) return answer;
      waits.errors.push(`${kind} ${answer.status} ${answer.text.slice(0, 200)}`);
      return null;
    };
    const campaign_id = `00000003-0000-4000-8000-${String(1_000 + store).padStart(12, "0")}`;
    const email = `client${randomBytes(8).toString("hex")}@example.com`;
    const page = await ask("page", `/c/matin-${store}/play?source=qr`);
    // A phone fetches the files that its page names: by elements, or by its first script.
    const paths = new Set(page?.text.match(/\/assets\/[\w.-]+/g));
    const fetched = Promise.all([...paths].map((path) => ask("files", path, GZIP)));
    const review = await ask("review", "/functions/v1/review_record", {
      body: {
        campaign_id,
        visit_id: randomUUID(),
        end_user: { first_name: "Camille", last_name: "Martin", email },
        rating: 1 + Math.floor(this.#random() * 5),
      },
    });
    await fetched;
    if (review === null) return;
    const { review_id } = reviewResponse.parse(JSON.parse(review.text));
    await ask("wheel", `/c/matin-${store}/play`);
    const spin = await ask("spin", "/functions/v1/spin_wheel", {
      body: { campaign_id, review_id, device_fp: randomBytes(32).toString("hex") },
    });
    if (spin === null) return;
    const { spin_id, nonce, redemption_code: code } = spinResult.parse(JSON.parse(spin.text));
    if (code === null) return;
    await ask("code", "/functions/v1/prize_status", { body: { campaign_id, spin_id, nonce } });
    if (this.#random() * USES >= 1) return;
    const store_id = `00000002-0000-4000-8000-${String(1_000 + store).padStart(12, "0")}`;
    await ask("till", "/functions/v1/redeem", {
      body: { code, store_id, request_id: randomUUID() },
      headers: this.staff[store % this.staff.length] ?? {},
    });
  }

  /** One request, and where that leads: a poster's address sends on to the page for reviews. */
  async #send(address: string, path: string, options: Sent): Promise<Answer> {
    const answer = await this.#sendOnce(address, path, options);
    return answer.location === null ? answer : this.#sendOnce(address, answer.location, options);
  }

  /** Through the proxy, which keeps its connections to the server open and says whose request it is. */
  async #sendOnce(address: string, path: string, { body, headers = {} }: Sent): Promise<Answer> {
    const sent = request(this.url + path, {
      agent: this.#agent,
      method: body === undefined ? "GET" : "POST",
      timeout: TIMEOUT_MS,
      headers: {
        "x-forwarded-for": address,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("response", resolve).on("error", reject);
    });
    return {
      status: response.statusCode ?? 0,
      text: await text(response),
      location: response.headers.location ?? null,
    };
  }
}
