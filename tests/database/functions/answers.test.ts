import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import { errorBody, errorStatus } from "#domain/errors/errors.ts";
import { feedbackMissing } from "#domain/rules/contact.ts";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { publicCampaign } from "#domain/schemas/public-page.ts";
import { typeset } from "#domain/text/typeset.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import {
  type Answer,
  newAddress,
  newDevice,
  playForReview,
  playOf,
  ratingOf,
  verdict,
} from "../support/calls.ts";

/** Answers of the functions of the customer's journey: results, refusals, and failures of ours. */

let server: TestServer;
let organization: Organization;

beforeAll(async () => {
  server = await startTestServer();
  organization = await createOrganization(server.database.sql);
});

afterAll(() => server.stop());

async function campaignOf(
  options: Partial<Parameters<typeof createCampaign>[1]> = {},
  {
    reward,
    of = organization,
  }: { reward?: Parameters<typeof createReward>[2]; of?: Organization } = {},
): Promise<Campaign> {
  const { sql } = server.database;
  const campaign = await createCampaign(sql, { orgId: of.id, storeId: of.storeId, ...options });
  const rewardId = reward && (await createReward(sql, campaign, reward));
  await drawWheel(sql, campaign, [{ weight: 100, ...(rewardId && { rewardId }) }]);
  return campaign;
}

/** Expects a refusal; answers what it tells besides. */
function refusal(answer: Answer, code: keyof typeof errorCopy) {
  expect(verdict(answer)).toBe(`${errorStatus[code]} ${code}`);
  const { message, details } = errorBody.parse(answer.body).error;
  if (code !== "customer_failed") expect(message).toBe(typeset(errorCopy[code]));
  return details;
}

describe("the sentences of the specification", () => {
  it("stand letter for letter", () => {
    expect(errorCopy).toMatchObject({
      campaign_not_found: "Campagne non trouvée ou inactive",
      campaign_failed: "Erreur lors du chargement de la campagne",
      review_failed: "Erreur lors de l'envoi de l'avis",
      customer_failed: "Erreur lors de la création du client: {detail}",
      feedback_failed: "Erreur lors de l'envoi du retour",
      invalid_request: "Paramètres manquants",
      review_not_found: "Veuillez scanner le QR code depuis le début",
      wheel_failed: "Impossible de lancer la roue",
      nothing_to_draw: "Aucun segment avec probabilité > 0 disponible",
      draw_failed: "Erreur lors du tirage",
      record_failed: "Erreur lors de l'enregistrement",
    });
  });
});

describe("campaign", () => {
  it("answers the public data, and nothing that the schema does not name", async () => {
    const { sql } = server.database;
    const campaign = await campaignOf(
      { name: "Roue publique" },
      { reward: { stock: 77, name: "Interne" } },
    );
    await sql`update public.campaigns set description = 'Marge secrète' where id = ${campaign.id}`;
    const answer = await server.call(`campaign?slug=${campaign.slug}`);
    expect(answer.status).toBe(200);
    const shown = publicCampaign.parse(answer.body);
    // The schema drops what it does not name: nothing was dropped.
    expect(shown).toEqual(answer.body);
    expect(shown).toMatchObject({ id: campaign.id, name: "Roue publique", wheel_open: true });
    for (const secret of [
      "Marge secrète",
      "Interne",
      organization.id,
      "weight",
      "stock",
      "reward",
    ]) {
      expect(answer.text).not.toContain(secret);
    }
  });

  it("answers a former slug with the present one", async () => {
    const campaign = await campaignOf();
    await server.database
      .sql`update public.campaigns set slug = slug || '-b' where id = ${campaign.id}`;
    const answer = await server.call(`campaign?slug=${campaign.slug}`);
    expect(answer.body).toMatchObject({ id: campaign.id, slug: `${campaign.slug}-b` });
  });

  it("refuses a closed one like one that never was", async () => {
    const { slug } = await campaignOf({ active: false });
    const closed = await server.call(`campaign?slug=${slug}`);
    refusal(closed, "campaign_not_found");
    expect(closed.text).toBe((await server.call("campaign?slug=personne")).text);
  });
});

describe("scan", () => {
  async function scans({ id }: Campaign): Promise<number | undefined> {
    const [row] = await server.database.sql<{ count: number }[]>`
      select count(*)::integer as count from public.scan_events where campaign_id = ${id}`;
    return row?.count;
  }

  const scan = (slug: string, userAgent: string, address = newAddress(), source?: string) =>
    server.call(
      "scan",
      { slug, ...(source !== undefined && { source }) },
      { address, headers: { "user-agent": userAgent } },
    );

  const PHONES = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0.0.25.110",
    // A brand of phones whose name ends like that of a program.
    "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
  ];

  it.each(PHONES)("counts a person once: %s", async (userAgent) => {
    const campaign = await campaignOf();
    const address = newAddress();
    for (let n = 0; n < 2; n++) {
      const answer = await scan(campaign.slug, userAgent, address);
      expect(answer.status).toBe(204);
      expect(answer.text).toBe("");
    }
    expect(await scans(campaign)).toBe(1);
    // Another phone behind the same address, and the same phone behind another.
    await scan(campaign.slug, `${userAgent} (2)`, address);
    await scan(campaign.slug, userAgent);
    expect(await scans(campaign)).toBe(3);
  });

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.24.18.76 A",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "curl/8.5.0",
    "python-requests/2.32.3",
    "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "",
  ])("never counts a program: %j", async (userAgent) => {
    const campaign = await campaignOf();
    expect((await scan(campaign.slug, userAgent)).status).toBe(204);
    expect(await scans(campaign)).toBe(0);
  });

  it("keeps where the visit came from, and no address", async () => {
    const campaign = await campaignOf();
    const address = newAddress();
    await scan(campaign.slug, PHONES[0] ?? "", address, "vitrine");
    const [row] = await server.database.sql`
      select s.source, row_to_json(s)::text || (
        select json_agg(r)::text from private.recent_scans r) as everything
      from public.scan_events s where s.campaign_id = ${campaign.id}`;
    expect(row?.source).toBe("vitrine");
    expect(row?.everything).not.toContain(address);
    expect(row?.everything).not.toContain("iPhone");
  });

  it("refuses a closed campaign", async () => {
    const { slug } = await campaignOf({ active: false });
    refusal(await scan(slug, PHONES[0] ?? ""), "campaign_not_found");
  });
});

describe("review_record", () => {
  it("answers 201, then 200 with the same bytes for the same visit", async () => {
    const campaign = await campaignOf();
    const body = ratingOf(campaign, { rating: 2 });
    const first = await server.call("review_record", body);
    expect(first.status).toBe(201);
    expect(reviewResponse.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({
      next: "feedback",
      google_review_url: "https://g.page/r/magasin",
    });
    const second = await server.call("review_record", { ...body, rating: 5 });
    expect(second.status).toBe(200);
    expect(second.text).toBe(first.text);
  });

  it("takes each call without visit_id for a visit of its own", async () => {
    const { visit_id: _, ...body } = ratingOf(await campaignOf());
    const answers = [
      await server.call("review_record", body),
      await server.call("review_record", body),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
  });

  it("stores texts trimmed, and the source qr and no consent where nothing is said", async () => {
    const campaign = await campaignOf();
    const answer = await server.call("review_record", {
      campaign_id: campaign.id,
      end_user: { first_name: "  Zoé ", last_name: " Blanc", email: " zoe@exemple.fr " },
      rating: 5,
    });
    const [row] = await server.database.sql`
      select customer_name, customer_email, source, consent_marketing from public.pre_spin_reviews
      where id = ${reviewResponse.parse(answer.body).review_id}`;
    expect(row).toEqual({
      customer_name: "Zoé Blanc",
      customer_email: "zoe@exemple.fr",
      source: "qr",
      consent_marketing: false,
    });
  });

  it.each([
    "06 12 34 56 78",
    "06\u00a012\u00a034\u00a056\u00a078",
    "06\u202f12\u202f34\u202f56\u202f78",
    "06\t12\u300034\u200956\u00a078",
  ])("keeps a phone number with plain spaces, on which all databases agree: %j", async (phone) => {
    const { end_user, ...body } = ratingOf(await campaignOf());
    const { email: _, ...names } = end_user;
    const answer = await server.call("review_record", { ...body, end_user: { ...names, phone } });
    expect(answer.status).toBe(201);
    const [row] = await server.database.sql`
      select customer_phone from public.pre_spin_reviews
      where id = ${reviewResponse.parse(answer.body).review_id}`;
    expect(row?.customer_phone).toBe("06 12 34 56 78");
  });

  it("refuses a closed or unknown campaign", async () => {
    const closed = await campaignOf({ active: false });
    for (const campaign of [closed, { id: randomUUID() }]) {
      refusal(await server.call("review_record", ratingOf(campaign)), "campaign_not_found");
    }
  });

  describe("with feedback", () => {
    const TEXT = "Le café était froid et la salle bruyante.";

    async function reviewed(): Promise<string> {
      const answer = await server.call(
        "review_record",
        ratingOf(await campaignOf(), { rating: 1 }),
      );
      return reviewResponse.parse(answer.body).review_id;
    }

    it("takes it with the rating, too, and asks for no more then", async () => {
      const body = { ...ratingOf(await campaignOf(), { rating: 1 }), feedback: ` ${TEXT}` };
      const first = await server.call("review_record", body);
      expect([first.status, first.body]).toMatchObject([201, { next: "ready" }]);
      const repeat = await server.call("review_record", body);
      expect([repeat.status, repeat.text]).toEqual([200, first.text]);
      const other = { ...body, feedback: `${TEXT} Et sale.` };
      expect(refusal(await server.call("review_record", other), "feedback_exists")).toBeUndefined();
      const rows = await server.database.sql`
        select review_text from public.pre_spin_reviews where campaign_id = ${body.campaign_id}`;
      expect(rows).toEqual([{ review_text: TEXT }]);
    });

    it("takes a rating that says that there is none", async () => {
      const body = { ...ratingOf(await campaignOf(), { rating: 1 }), feedback: null };
      const answer = await server.call("review_record", body);
      expect([answer.status, answer.body]).toMatchObject([201, { next: "feedback" }]);
    });

    it("stores no rating with feedback that is too short, and none of a closed campaign", async () => {
      const short = { ...ratingOf(await campaignOf()), feedback: "Bof." };
      const refused = refusal(await server.call("review_record", short), "invalid_request");
      expect(refused?.fields).toEqual(["feedback"]);
      const closed = { ...ratingOf(await campaignOf({ active: false })), feedback: TEXT };
      refusal(await server.call("review_record", closed), "campaign_not_found");
      const rows = await server.database.sql`
        select from public.pre_spin_reviews
        where campaign_id = any (${[short.campaign_id, closed.campaign_id]})`;
      expect(rows).toHaveLength(0);
    });

    it("adds it once; a repeat is answered the same", async () => {
      const review_id = await reviewed();
      const send = (feedback: string) => server.call("review_record", { review_id, feedback });
      const first = await send(`  ${TEXT}\n`);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({
        review_id,
        next: "ready",
        google_review_url: "https://g.page/r/magasin",
      });
      const repeat = await send(TEXT);
      expect([repeat.status, repeat.text]).toEqual([200, first.text]);
      expect(refusal(await send(`${TEXT} Et sale.`), "feedback_exists")).toBeUndefined();
    });

    it.each([
      ["19 characters", "a".repeat(19), 400],
      ["19 characters and spaces around", `  ${"a".repeat(19)}   `, 400],
      ["20 characters", "a".repeat(20), 200],
      ["4000 characters", "a".repeat(4000), 200],
      ["4001 characters", "a".repeat(4001), 400],
      ["10 pictures, which count as 10", "👍".repeat(10), 400],
      ["20 pictures", "👍".repeat(20), 200],
      ["4000 pictures", "👍".repeat(4000), 200],
    ])("counts as people do: %s", async (_, feedback, status) => {
      const answer = await server.call("review_record", { review_id: await reviewed(), feedback });
      expect(answer.status).toBe(status);
      // The page counts in the same way.
      expect(feedbackMissing(feedback) > 0).toBe([...feedback.trim()].length < 20);
      if (status === 400) {
        expect(refusal(answer, "invalid_request")?.fields).toEqual(["feedback"]);
      }
    });

    it("needs a review", async () => {
      const body = { review_id: randomUUID(), feedback: TEXT };
      refusal(await server.call("review_record", body), "review_not_found");
    });
  });
});

describe("public_review_click", () => {
  it("is done once and answered each time; only for the campaign of the review", async () => {
    const campaign = await campaignOf();
    const answer = await server.call("review_record", ratingOf(campaign));
    const { review_id } = reviewResponse.parse(answer.body);
    const click = (campaign_id: string) =>
      server.call("public_review_click", { review_id, campaign_id });
    for (let n = 0; n < 2; n++) {
      const { status, text } = await click(campaign.id);
      expect([status, text]).toEqual([204, ""]);
    }
    refusal(await click((await campaignOf()).id), "review_not_found");
    refusal(await click(randomUUID()), "review_not_found");
    const [row] = await server.database.sql<{ clicks: number }[]>`
      select sum(public_clicks)::integer as clicks from public.campaign_daily_stats
      where campaign_id = ${campaign.id}`;
    expect(row?.clicks).toBe(1);
  });
});

describe("spin_wheel", () => {
  it("answers the spin result, byte for byte again when repeated", async () => {
    const campaign = await campaignOf({}, { reward: { name: "Café offert" } });
    const body = playOf(campaign);
    const first = await server.call("spin_wheel", body);
    expect(first.status).toBe(200);
    expect(spinResult.parse(first.body)).toEqual(first.body);
    expect(first.body).toMatchObject({ reward: { name: "Café offert", type: "gift" } });
    await server.database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    const second = await server.call("spin_wheel", { ...body, device_fp: newDevice() });
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  it("plays for a review once, and for no other campaign's review", async () => {
    const [campaign, other] = [await campaignOf(), await campaignOf()];
    const review = await server.call("review_record", ratingOf(campaign));
    const { review_id } = reviewResponse.parse(review.body);
    const elsewhere = await server.call("spin_wheel", playForReview(other, review_id));
    expect(refusal(elsewhere, "review_not_found")).toBeUndefined();
    const first = await server.call("spin_wheel", playForReview(campaign, review_id));
    // The review is the key: a play_id beside it changes nothing.
    const again = { ...playForReview(campaign, review_id), play_id: randomUUID() };
    expect((await server.call("spin_wheel", again)).text).toBe(first.text);
    refusal(await server.call("spin_wheel", playForReview(other, review_id)), "review_not_found");
    refusal(
      await server.call("spin_wheel", playForReview(campaign, randomUUID())),
      "review_not_found",
    );
  });

  it("says from when a person may play again", async () => {
    const campaign = await campaignOf({ playIntervalDays: 7 });
    const email = `${randomUUID()}@exemple.fr`;
    await server.call("spin_wheel", playOf(campaign, { email }));
    const details = refusal(
      await server.call("spin_wheel", playOf(campaign, { email })),
      "already_played",
    );
    const [row] = await server.database.sql<{ next: Date }[]>`
      select ((max(created_at) at time zone 'Europe/Paris')::date + 7)::timestamp at time zone 'Europe/Paris' as next
      from public.spins where campaign_id = ${campaign.id}`;
    expect(details).toEqual({ next_play_at: row?.next.toISOString() });
  });

  it("refuses where nothing is left, where the plan is used up, where the campaign is closed", async () => {
    const empty = await campaignOf({}, { reward: { stock: 0 } });
    expect(
      refusal(await server.call("spin_wheel", playOf(empty)), "nothing_to_draw"),
    ).toBeUndefined();

    const trial = await createOrganization(server.database.sql, { plan: "free_trial" });
    const used = await campaignOf({}, { of: trial });
    await server.database.sql`
      insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, spins)
      select ${trial.id}, ${used.id}, d, 0, ${trial.storeId}, 100
      from generate_series(now()::date, now()::date + 1, interval '1 day') d`;
    expect(refusal(await server.call("spin_wheel", playOf(used)), "spins_used_up")).toBeUndefined();
    expect((await server.call("review_record", ratingOf(used))).status).toBe(201);

    for (const campaign of [await campaignOf({ active: false }), { id: randomUUID() }]) {
      const played = await server.call("spin_wheel", playOf(campaign));
      expect(refusal(played, "campaign_not_found")).toBeUndefined();
    }
  });

  it("tests without consequence", async () => {
    const campaign = await campaignOf({}, { reward: { stock: 1 } });
    const body = { campaign_id: campaign.id, test: true, device_fp: newDevice() };
    const codes = new Set<string | null>();
    for (let n = 0; n < 3; n++) {
      const answer = await server.call("spin_wheel", body);
      const { redemption_code } = spinResult.parse(answer.body);
      expect(redemption_code).toMatch(/^TEST-/);
      codes.add(redemption_code);
    }
    expect(codes.size).toBe(3);
    const [row] = await server.database.sql`
      select (select count(*)::integer from public.spins where campaign_id = ${campaign.id}) as spins,
        (select stock from public.rewards where campaign_id = ${campaign.id}) as stock`;
    expect(row).toEqual({ spins: 0, stock: 1 });
  });

  it("keeps neither device nor address", async () => {
    const address = newAddress();
    const body = playOf(await campaignOf());
    await server.call("spin_wheel", body, { address });
    const [row] = await server.database.sql<{ kept: string }[]>`
      select (select string_agg(r.key, ' ') from private.rate_limits r) || (
        select string_agg(s::text, ' ') from public.spins s) as kept`;
    expect(row?.kept).toMatch(/spin device [0-9a-f]{64} /);
    expect(row?.kept).not.toContain(body.device_fp);
    expect(row?.kept).not.toContain(address);
  });
});

describe("too many attempts", () => {
  /** Lets the limits of these keys be reached. */
  async function exhaust(pattern: string): Promise<void> {
    const { sql } = server.database;
    // A large limit is soft while a connection is below its share: here all of them have one share.
    await sql`
      create or replace function private.shard() returns smallint
      language sql stable parallel safe return 0::smallint`;
    const rows = await sql`
      insert into private.rate_limits (key, window_start, shard, hits, expires_at)
      select distinct r.key, r.window_start, 0, 1000, r.expires_at
      from private.rate_limits r where r.key like ${pattern}
      on conflict (key, window_start, shard) do update set hits = excluded.hits
      returning 1`;
    expect(rows).toHaveLength(2);
  }

  function expectWait(answer: Answer, longest: number): void {
    expect(refusal(answer, "too_many_attempts")).toBeUndefined();
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(longest);
  }

  it("of one address are refused with the seconds to wait; a repeat is not", async () => {
    const campaign = await campaignOf();
    const address = newAddress();
    const [play, rating] = [playOf(campaign), ratingOf(campaign)];
    const played = await server.call("spin_wheel", play, { address });
    const rated = await server.call("review_record", rating, { address });
    await exhaust(`% address % ${campaign.id}`);
    expectWait(await server.call("spin_wheel", playOf(campaign), { address }), 3600);
    expectWait(await server.call("review_record", ratingOf(campaign), { address }), 3600);
    expect((await server.call("spin_wheel", play, { address })).text).toBe(played.text);
    expect((await server.call("review_record", rating, { address })).text).toBe(rated.text);
    // A client that only writes another address in front is still the same.
    expectWait(
      await server.call("spin_wheel", playOf(campaign), { address: `9.9.9.9, ${address}` }),
      3600,
    );
    expect(
      (await server.call("spin_wheel", playOf(campaign), { address: newAddress() })).status,
    ).toBe(200);
  });

  it("of one person are refused with the seconds to wait", async () => {
    const campaign = await campaignOf();
    const email = `${randomUUID()}@exemple.fr`;
    for (let n = 0; n < 20; n++) await server.call("review_record", ratingOf(campaign, { email }));
    expectWait(await server.call("review_record", ratingOf(campaign, { email })), 3600);
  });
});

describe("a failure of ours", () => {
  /** Breaks an SQL function for the time of a call. */
  async function withBroken<T>(name: string, run: () => Promise<T>): Promise<T> {
    const { sql } = server.database;
    const [row] = await sql<{ sound: string; broken: string }[]>`
      select pg_get_functiondef(p.oid) as sound, 'create or replace function public.' || p.proname || '('
        || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid)
        || ' language plpgsql security definer set search_path = '''' as '
        || '$broken$ begin raise exception ''ana@exemple.fr'' using errcode = ''XX123''; end $broken$' as broken
      from pg_proc p where p.oid = ${`public.${name}`}::regproc`;
    if (row === undefined) throw new Error("No such function.");
    await sql.unsafe(row.broken);
    try {
      return await run();
    } finally {
      await sql.unsafe(row.sound);
    }
  }

  const call = async (name: string, body?: unknown) => {
    const before = server.log.length;
    const answer = await server.call(name, body);
    return { answer, lines: server.log.slice(before) };
  };

  it.each([
    ["campaign_page", "campaign", "campaign_failed"],
    ["record_scan", "scan", "campaign_failed"],
    ["record_review", "review_record", "review_failed"],
    ["record_feedback", "review_record", "feedback_failed"],
    ["record_public_click", "public_review_click", "internal_error"],
    ["spin_wheel", "spin_wheel", "draw_failed"],
    ["test_spin", "spin_wheel", "draw_failed"],
  ] as const)(
    "of %s is answered with a sentence and logged by its code: %s, %s",
    async (broken, name, code) => {
      const campaign = await campaignOf();
      const bodies: Record<string, unknown> = {
        campaign_page: undefined,
        record_scan: { slug: campaign.slug },
        record_review: ratingOf(campaign, { email: "lea@exemple.fr" }),
        record_feedback: { review_id: randomUUID(), feedback: "a".repeat(20) },
        record_public_click: { review_id: randomUUID(), campaign_id: campaign.id },
        spin_wheel: playOf(campaign, { email: "lea@exemple.fr" }),
        test_spin: { campaign_id: campaign.id, test: true, device_fp: newDevice() },
      };
      const path = name === "campaign" ? `campaign?slug=${campaign.slug}` : name;
      const { answer, lines } = await withBroken(broken, () => {
        const body = bodies[broken];
        return name === "scan" ? callAsPhone(path, body) : call(path, body);
      });
      expect(refusal(answer, code)).toBeUndefined();
      expect(answer.status).toBe(500);
      expect(lines).toContainEqual({
        event: "function_failed",
        level: "error",
        function: name,
        requestId: answer.headers.get("x-request-id"),
        code: "XX123",
      });
      expect(answer.text + JSON.stringify(lines)).not.toContain("@exemple.fr");
      // And it goes on once the fault is mended.
      expect((await server.call(`campaign?slug=${campaign.slug}`)).status).toBe(200);
    },
  );

  async function callAsPhone(name: string, body: unknown) {
    const before = server.log.length;
    const headers = { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" };
    const answer = await server.call(name, body, { headers });
    return { answer, lines: server.log.slice(before) };
  }

  it("a customer whom the database refuses is named as the trouble", async () => {
    const { sql } = server.database;
    const campaign = await campaignOf();
    await sql`alter table public.customers add constraint test_refusal check (name <> 'Refus Total')`;
    try {
      const { end_user, ...body } = ratingOf(campaign);
      const { answer, lines } = await call("review_record", {
        ...body,
        end_user: { ...end_user, first_name: "Refus", last_name: "Total" },
      });
      refusal(answer, "customer_failed");
      expect(errorBody.parse(answer.body).error.message).toBe(
        "Erreur lors de la création du client: ces coordonnées ne peuvent pas être enregistrées",
      );
      expect(lines).toContainEqual(
        expect.objectContaining({ code: "23514", constraint: "test_refusal" }),
      );
      expect(JSON.stringify(lines)).not.toContain("Refus");
    } finally {
      await sql`alter table public.customers drop constraint test_refusal`;
    }
  });

  it("a spin that was not written is none", async () => {
    const { sql } = server.database;
    const campaign = await campaignOf();
    const [row] = await sql<{ sound: string }[]>`
      select pg_get_functiondef('public.spin_wheel'::regproc) as sound`;
    await sql.unsafe(
      (row?.sound ?? "").replace(/begin[\s\S]*end;/, "begin outcome := 'spun'; end;"),
    );
    try {
      refusal(await server.call("spin_wheel", playOf(campaign)), "record_failed");
    } finally {
      await sql.unsafe(row?.sound ?? "");
    }
  });
});
