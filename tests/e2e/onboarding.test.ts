import { describe, expect, it } from "vitest";
import { createOrganization, createUser } from "../harness/fixtures.ts";
import { latestMail } from "../harness/mailbox.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { waitForFocus } from "./support/keyboard.ts";
import { arrives, enter, place } from "./support/member.ts";
import {
  fillOrganization,
  fillStore,
  newcomer,
  organizationName,
  organizationSlug,
  organize,
  submit,
} from "./support/onboarding.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** A merchant's first steps (specification, sections 2.20, 4.4, 5 and 8). */

const app = setUpTestApp();

describe("the way in", () => {
  it("tells a colleague who was taken out of a team so, shows a new invitation, and lets them begin", async () => {
    const ours = await createOrganization(app.sql, { name: "Café des Halles" });
    const { owner, member } = ours.users;
    const { page } = await app.desktop({ expected: refusing(403) });
    await enter(app, page, member);
    await page.goto("/customers");
    await titled(page, "Clients");
    const { database } = app.server;
    await database.as(
      { userId: owner.id },
      (sql) => sql`select public.remove_member(${member.id})`,
    );
    await page.getByRole("link", { name: "Magasins" }).click();
    await titled(page, "Votre accès à l'organisation Café des Halles a pris fin");
    await page.getByText("Bonjour Camille Martin,").waitFor();
    await page.getByText("adressez-vous à la personne qui gère l'équipe").waitFor();
    await page.getByRole("link", { name: "Commencer" }).waitFor();
    await checkLightAndDark(page, "ended access");

    const mail = await latestMail(app.server, member.email, { template: "access_ended" });
    expect(mail.subject).toBe("Votre accès à l'organisation Café des Halles a pris fin");
    expect(mail.links.map((link) => new URL(link).pathname)).toContain("/onboarding");

    // The same at the next visit, with the invitation that has come.
    await database.as(
      { userId: owner.id },
      (sql) => sql`select public.invite_member(${member.email}, 'member')`,
    );
    await page.goto("/dashboard");
    await titled(page, "Votre accès à l'organisation Café des Halles a pris fin");
    await page.getByRole("button", { name: "Rejoindre l'équipe" }).click();
    await titled(page, "Tableau de bord");
  });

  it("tells those whose organisation was erased so, at the till as well", async () => {
    const ours = await createOrganization(app.sql);
    const { page } = await app.desktop({ expected: refusing(403) });
    await enter(app, page, ours.users.member);
    await app.sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${ours.id}`;
    await app.sql`select private.erase_organizations(1)`;
    await page.goto("/dashboard");
    await titled(page, "Bienvenue sur Tournavis");
    await page.getByText("L'organisation dont vous faisiez partie a été supprimée").waitFor();
    await page.getByRole("link", { name: "Commencer" }).waitFor();
    await page.goto("/encaisser");
    await titled(page, "Organisation supprimée");
  });

  it("leads from an account without organisation to the dashboard and a first campaign", async () => {
    const { page, user } = await newcomer(app);
    await page.goto("/dashboard");
    await titled(page, "Bienvenue sur Tournavis");
    expect(place(page)).toBe("/onboarding");
    await page.getByText("Bonjour Nadia Roy,").waitFor();
    for (const feature of [
      "Collecte d'avis",
      "Roue des cadeaux",
      "Gestion des clients",
      "Statistiques",
    ]) {
      await page.getByRole("heading", { level: 3, name: feature }).waitFor();
    }
    expect(await page.getByRole("listitem").filter({ hasText: /^Vo/ }).count()).toBe(5);
    await page.getByText("14 jours d'essai gratuit, sans carte bancaire.").waitFor();
    await checkLightAndDark(page, "welcome");

    await page.getByRole("link", { name: "Commencer" }).click();
    await titled(page, "Votre organisation");
    await page.getByText("Étape 1 sur 5").waitFor();
    await page.getByText("20%", { exact: true }).waitFor();
    const progress = page.getByRole("progressbar", { name: "Progression de l'installation" });
    expect(await progress.getAttribute("aria-valuenow")).toBe("20");
    expect(await submit(page).getAttribute("aria-disabled")).toBe("true");
    await submit(page).press("Enter");
    await page.getByText("Indiquez le nom de votre organisation.").waitFor();
    await organizationName(page).fill("Boulangerie Œuvrée & Fils");
    expect(await organizationSlug(page).inputValue()).toBe("boulangerie-oeuvree-fils");
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    await checkLightAndDark(page, "organisation");
    await submit(page).click();

    await titled(page, "Votre magasin");
    // The button that was pressed is gone: the keyboard and screen readers go on from the new title.
    await waitForFocus(page.getByRole("heading", { level: 1 }));
    await page.getByText("Étape 2 sur 5").waitFor();
    await page.getByText("40%", { exact: true }).waitFor();
    expect(await page.getByRole("radio", { name: "Mode conforme" }).isChecked()).toBe(true);
    await fillStore(page);
    expect(await page.getByLabel("Identifiant").inputValue()).toBe("bastille");
    await page.getByRole("status").getByText("Cet identifiant est libre.").waitFor();
    await page.getByRole("radio", { name: "Mode filtré" }).check();
    await page.getByText("La plateforme d'avis interdit ce filtrage.").waitFor();
    await checkLightAndDark(page, "store");
    await page.getByRole("radio", { name: "Mode conforme" }).check();
    await submit(page).click();

    await titled(page, "Félicitations !");
    await page.getByText("Étape 3 sur 5").waitFor();
    await page.getByText("60%", { exact: true }).waitFor();
    await checkLightAndDark(page, "ready");
    await page.getByRole("link", { name: "Aller au tableau de bord" }).click();

    await titled(page, "Tableau de bord");
    await page.getByRole("link", { name: "Nouvelle campagne" }).click();
    await page.getByLabel("Nom de la campagne").fill("La roue de Noël");
    await submit(page, "Créer la campagne").click();
    await arrives(page, "/campaigns");
    await page.getByRole("heading", { name: "La roue de Noël" }).waitFor();
    const [row] = await app.sql`
      select o.slug, s.review_mode, c.slug as campaign, c.active, m.role
      from public.organization_members m join public.organizations o on o.id = m.org_id
      join public.stores s on s.org_id = o.id join public.campaigns c on c.org_id = o.id
      where m.user_id = ${user.id}`;
    expect(row).toEqual({
      slug: "boulangerie-oeuvree-fils",
      review_mode: "compliant",
      campaign: "la-roue-de-noel",
      active: true,
      role: "owner",
    });
  });
});

describe("a shop far from Paris", () => {
  it.each([
    ["Indian/Reunion", "Indian/Reunion", "Fuseau horaire : La Réunion."],
    // Where no French is spoken, or where a browser hides the place, nothing is proposed.
    ["Atlantic/Reykjavik", "Europe/Paris", null],
  ])("in %s is opened in %s, without another field", async (timezoneId, stored, said) => {
    const { page, user } = await newcomer(app, { context: { timezoneId } });
    await organize(app, user, `loin-${user.id.slice(0, 8)}`);
    await page.goto("/onboarding/store");
    await titled(page, "Votre magasin");
    await fillStore(page);
    if (said !== null) await page.getByText(said).waitFor();
    else expect(await page.getByText("Fuseau horaire").count()).toBe(0);
    await submit(page).click();
    await titled(page, "Félicitations !");
    const [row] = await app.sql`
      select s.timezone from public.stores s
      join public.organization_members m on m.org_id = s.org_id where m.user_id = ${user.id}`;
    expect(row).toEqual({ timezone: stored });
  });
});

describe("a name that others have", () => {
  it("costs no click: the next free address is taken while nobody has typed one", async () => {
    await organize(app, await createUser(app.sql), "maison-prise");
    const { page, user } = await newcomer(app, { expected: refusing(409) });
    await fillOrganization(page, "Maison Prise");
    await expect.poll(() => organizationSlug(page).inputValue()).toBe("maison-prise-2");
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    expect(await page.getByRole("button", { name: /^Prendre/ }).count()).toBe(0);
    // Still a suggestion: it follows the name.
    await organizationName(page).fill("Maison Prise Bis");
    expect(await organizationSlug(page).inputValue()).toBe("maison-prise-bis");
    await organizationName(page).fill("Maison Prise");
    await expect.poll(() => organizationSlug(page).inputValue()).toBe("maison-prise-2");
    await page.getByRole("status").getByText("Cette adresse est libre.").waitFor();
    // Somebody is faster; then one click is all.
    await organize(app, await createUser(app.sql), "maison-prise-2");
    await submit(page).click();
    await titled(page, "Votre magasin");
    const slugs = await app.sql`
      select o.id, o.slug from public.organizations o join public.organization_members m on m.org_id = o.id
      where m.user_id = ${user.id}`;
    expect(slugs.map(({ slug }) => slug)).toEqual(["maison-prise-3"]);

    // A store of that name was made meanwhile, in another tab.
    await fillStore(page);
    await page.getByRole("status").getByText("Cet identifiant est libre.").waitFor();
    await app.sql`
      insert into public.stores (org_id, name, slug, address)
      values (${slugs[0]?.id ?? null}, 'Ailleurs', 'bastille', '1 rue du Test')`;
    await app.sql`update public.subscriptions set plan = 'pro' where org_id = ${slugs[0]?.id ?? null}`;
    await submit(page).click();
    await titled(page, "Félicitations !");
    expect(
      await app.sql`select slug from public.stores where org_id = ${slugs[0]?.id ?? null} order by created_at`,
    ).toEqual([{ slug: "bastille" }, { slug: "bastille-2" }]);
  });

  it("is said of an address that was typed, with a button that takes the next free one", async () => {
    await organize(app, await createUser(app.sql), "ma-table");
    const { page } = await newcomer(app);
    await fillOrganization(page, "Autre Table");
    await organizationSlug(page).fill("ma-table");
    await page.getByText("Cette adresse est prise, ou des affiches y mènent encore.").waitFor();
    expect(await organizationSlug(page).inputValue()).toBe("ma-table");
    await page.getByRole("button", { name: "Prendre « ma-table-2 », qui est libre" }).click();
    expect(await organizationSlug(page).inputValue()).toBe("ma-table-2");
  });
});

describe("leaving half-way", () => {
  it("keeps what was typed, for that user alone", async () => {
    const { page } = await newcomer(app);
    await fillOrganization(page, "Maison Commencée");
    await organizationSlug(page).fill("ma-maison");
    await page.goto("/");
    await page.getByRole("link", { name: "Reprendre" }).click();
    expect(await organizationName(page).inputValue()).toBe("Maison Commencée");
    expect(await organizationSlug(page).inputValue()).toBe("ma-maison");
    // Written by hand, the slug no longer follows the name.
    await organizationName(page).fill("Maison Finie");
    expect(await organizationSlug(page).inputValue()).toBe("ma-maison");
    const other = await createUser(app.sql);
    await enter(app, page, other);
    await page.goto("/onboarding/organization");
    await titled(page, "Votre organisation");
    expect(await organizationName(page).inputValue()).toBe("");
  });
});
