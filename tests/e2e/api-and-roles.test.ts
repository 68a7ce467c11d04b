import { expect, it } from "vitest";
import { createOrganization, createUser } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { enter } from "./support/member.ts";
import { refusing, setUpTestApp } from "./support/test-app.ts";

/** Access of others to an organisation: keys for its programs, and roles of its own. */

const app = setUpTestApp();

it("a key is made, shown once, used by a program, and taken back", async () => {
  const ours = await createOrganization(app.sql);
  const { page } = await app.desktop();
  await enter(app, page, ours.users.admin);
  await page.goto("/settings/api");
  await page.getByText("Aucune clé pour l'instant").waitFor();
  await page.getByRole("button", { name: "Créer une clé" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Créer la clé" }).click();
  await dialog.getByText("Le nom est requis").waitFor();
  await dialog.getByRole("textbox", { name: "Nom" }).fill("Tableau de bord maison");
  // Typed text is not lost by a careless key.
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
  await question.getByRole("button", { name: "Annuler" }).click();
  await question.waitFor({ state: "detached" });
  const name = page.getByRole("textbox", { name: "Nom" });
  expect(await name.inputValue()).toBe("Tableau de bord maison");
  await dialog.getByRole("button", { name: "Créer la clé" }).click();
  const shown = dialog.getByRole("textbox", { name: "Clé « Tableau de bord maison »" });
  const key = await shown.inputValue();
  expect(key).toMatch(/^tv_live_[\w-]{43}$/);
  // A browser lets a page prevent two of them in a row, and no more: the key is seen this once.
  for (let times = 0; times < 4; times += 1) await page.keyboard.press("Escape");
  expect(await shown.inputValue()).toBe(key);
  await checkLightAndDark(page, "the key");
  await dialog.getByRole("button", { name: "J'ai copié la clé" }).click();
  await page.getByText("Jamais utilisée").waitFor();
  expect(await page.content()).not.toContain(key);

  const read = () =>
    fetch(`${app.server.url}/rest/v1/stores?select=id`, { headers: { apikey: key } });
  const answer = await read();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual([{ id: ours.storeId }]);

  await page.getByRole("button", { name: "Révoquer la clé Tableau de bord maison" }).click();
  await dialog.getByRole("button", { name: "Révoquer la clé" }).click();
  // The button that opened the dialog disappeared with the key: the focus goes to the heading of the nearest part.
  await page.locator("main :is(h1, h2, h3):focus").waitFor();
  await page.getByText("La clé « Tableau de bord maison » est révoquée.").waitFor();
  expect((await read()).status).toBe(401);

  await app.sql`update public.subscriptions set plan = 'basic' where org_id = ${ours.id}`;
  await page.reload();
  await page.getByRole("heading", { name: "L'API est incluse dans le plan Pro" }).waitFor();
  expect(await page.getByRole("button", { name: "Créer une clé" }).count()).toBe(0);
  await page.getByRole("link", { name: "Documentation" }).click();
  await titled(page, "Documentation de l'API");
  await checkLightAndDark(page, "the documentation");
});

it("a role is made, given, seen by whoever has it, and not deleted while somebody does", async () => {
  const ours = await createOrganization(app.sql);
  const nadia = await createUser(app.sql, { fullName: "Nadia Besson" });
  const { page } = await app.desktop({ expected: refusing(400) });
  await enter(app, page, ours.users.owner);
  await page.goto("/settings/roles");
  await page.getByRole("button", { name: "Créer un rôle" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Nom" }).fill("caisse");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await dialog.getByText("Ce nom est celui d'un rôle fourni.").waitFor();
  await dialog.getByRole("textbox", { name: "Nom" }).fill("Animation");
  await dialog.getByRole("textbox", { name: "Description" }).fill("Prépare les campagnes");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await dialog.getByText("Choisissez au moins une autorisation.").waitFor();
  await dialog.getByRole("combobox", { name: "Campagnes" }).selectOption({ label: "Modifier" });
  await dialog.getByRole("button", { name: "Annuler" }).click();
  const question = page.getByRole("dialog", { name: "Quitter sans enregistrer ?" });
  await question.getByRole("button", { name: "Annuler" }).click();
  await question.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Le rôle « Animation » est enregistré.").waitFor();
  await page.getByText("Campagnes : modifier").waitFor();

  await page.goto("/team/invite");
  await page.getByLabel("Adresse e-mail").fill(nadia.email);
  await page.getByRole("radio", { name: "Animation" }).check();
  await page.getByRole("button", { name: "Envoyer l'invitation" }).click();
  await page.getByText(`L'invitation est envoyée à ${nadia.email}.`).waitFor();
  await app.server.database.as({ userId: nadia.id }, async (sql) => {
    await sql`select public.accept_waiting_invitation((public.waiting_invitation() ->> 'id')::uuid)`;
  });

  const { page: theirs } = await app.phone();
  await enter(app, theirs, nadia);
  await theirs.goto("/campaigns");
  await titled(theirs, "Campagnes");
  expect(await theirs.getByRole("link", { name: "Clients" }).count()).toBe(0);

  await page.goto("/settings/roles");
  await page.getByRole("button", { name: "Supprimer le rôle Animation" }).click();
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await dialog.getByRole("alert").getByText("Ce rôle est encore attribué.").waitFor();
});
