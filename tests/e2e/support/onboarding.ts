import type { Page } from "playwright-core";
import { createUser, type User } from "../../harness/fixtures.ts";
import { type DesktopOptions, enter } from "./member.ts";
import type { TestApp } from "./test-app.ts";

/** Somebody without an organisation, on a computer, signed in. */
export async function newcomer(app: TestApp, options: DesktopOptions & { fullName?: string } = {}) {
  const { fullName = "Nadia Roy", ...rest } = options;
  const user = await createUser(app.sql, { fullName });
  const { page } = await app.desktop(rest);
  await enter(app, page, user);
  return { user, page };
}

export const organizationName = (page: Page) => page.getByLabel("Nom de l'organisation");
export const organizationSlug = (page: Page) => page.getByLabel("Adresse publique");
export const submit = (page: Page, name = "Continuer") =>
  page.getByRole("button", { name, exact: true });

/** Opens the first step and types a name. */
export async function fillOrganization(page: Page, name: string): Promise<void> {
  await page.goto("/onboarding/organization");
  await organizationName(page).fill(name);
}

/** Types what a store needs. */
export async function fillStore(page: Page, name = "Bastille"): Promise<void> {
  await page.getByLabel("Nom du magasin").fill(name);
  await page.getByLabel("Adresse", { exact: true }).fill("12 rue de la Roquette, 75011 Paris");
}

/** An organisation made by its owner, without a store yet. */
export async function organize(app: TestApp, user: User, slug: string): Promise<void> {
  await app.sql.begin(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      insert into public.organizations (name, slug) values ('Boulangerie Martin', ${slug}) returning id`;
    const id = row?.id ?? "";
    await sql`insert into public.subscriptions (org_id, plan, trial_end) values (${id}, 'free_trial', now() + interval '14 days')`;
    await sql`insert into public.organization_members (org_id, user_id, role) values (${id}, ${user.id}, 'owner')`;
  });
}
