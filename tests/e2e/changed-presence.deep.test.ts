import { it } from "vitest";
import { arriveAt, field, goToWheel, press, pressSpin, rate } from "./support/customer.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Proof of presence that a merchant asks for, changes or gives up while a customer stands before the wheel. */

const app = setUpTestApp();

const asks = (shop: Shop, kind: "turning" | "word" | null) => app.sql`
  insert into private.check_settings as s (org_id, campaign_id, presence) values (${shop.id}, ${shop.campaign.id}, ${kind})
  on conflict (org_id, campaign_id) do update set presence = excluded.presence`;

async function wordOf(shop: Shop): Promise<string> {
  const [row] = await app.sql<{ word: string }[]>`
    select private.presence_word(presence_key, (now() at time zone 'Europe/Paris')::date) as word
    from private.check_settings where campaign_id = ${shop.campaign.id}`;
  return row?.word ?? "";
}

it("is asked for by its own name, although the page was opened before it was", async () => {
  const shop = await createShop(app.sql);
  const { page } = await app.phone({ expected: refusing(403) });
  await rate(page, shop, 5);
  await goToWheel(page);
  await asks(shop, "word");
  await pressSpin(page);
  await field(page, "Mot du jour").fill(await wordOf(shop));
  await press(page, "Valider et lancer la roue");
  await arriveAt(page, "win");
});

it("is asked for by its new name once what was asked before is wrong", async () => {
  const shop = await createShop(app.sql);
  await asks(shop, "turning");
  const { page } = await app.phone({ expected: refusing(422) });
  await rate(page, shop, 5);
  await goToWheel(page);
  await pressSpin(page);
  await field(page, "Code affiché à la caisse").fill("123456");
  await asks(shop, "word");
  await press(page, "Valider et lancer la roue");
  await field(page, "Mot du jour").fill(await wordOf(shop));
  await press(page, "Valider et lancer la roue");
  await arriveAt(page, "win");
});

it("is not in the way once nobody asks for it any more", async () => {
  const shop = await createShop(app.sql);
  await asks(shop, "turning");
  const { page } = await app.phone();
  await rate(page, shop, 5);
  await goToWheel(page);
  await pressSpin(page);
  await field(page, "Code affiché à la caisse").waitFor();
  await asks(shop, null);
  await field(page, "Code affiché à la caisse").fill("123456");
  await press(page, "Valider et lancer la roue");
  await arriveAt(page, "win");
});
