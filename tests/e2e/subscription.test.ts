import { expect, it } from "vitest";
import { createOrganization } from "../harness/fixtures.ts";
import { checkLightAndDark, titled } from "./support/account.ts";
import { arrives, enter, place } from "./support/member.ts";
import { refusing, setStage } from "./support/stage.ts";

/** From the trial to a paid plan, in the browser (specification, sections 2.3, 2.4 and 8). */

const stage = setStage();

it("leads from the prices through the payment to the plan, prorated to the next one", async () => {
  const org = await createOrganization(stage.sql, { plan: "free_trial" });
  const { page } = await stage.desktop({ expected: refusing(402) });
  await page.goto("/pricing");
  await titled(page, "Des prix simples, sans surprise");
  await page.getByText("Annuel", { exact: true }).click();
  await page.getByText("Vous économisez 120 €").waitFor();
  await checkLightAndDark(page, "pricing");
  await page.goto("/checkout?plan=basic&billing=monthly");
  await arrives(page, "/auth");
  expect(place(page)).toBe("/auth?redirect=%2Fcheckout");

  await enter(stage, page, org.users.owner);
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Plan actuel" }).waitFor();
  await page.getByRole("link", { name: "Passer au plan supérieur : Basic" }).click();
  await titled(page, "Votre commande");
  await page.getByText("58,80 €").waitFor();
  await checkLightAndDark(page, "checkout");
  await page.getByRole("button", { name: "Payer", exact: true }).click();
  await titled(page, "Paiement d'essai");
  await page.getByRole("button", { name: "Payer avec une carte refusée" }).click();
  await page.getByRole("alert").getByText("La carte a été refusée").waitFor();
  await page.getByRole("button", { name: "Payer avec une carte valable" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();

  await page.goto("/pricing");
  await page.getByRole("link", { name: "Passer au plan supérieur : Pro" }).click();
  await page.getByRole("button", { name: "Changer de plan" }).click();
  await page.getByText("Votre plan est à jour.").waitFor();

  await page.goto("/checkout?plan=autre");
  await arrives(page, "/pricing");
});

it("refuses who is neither owner nor admin, and keeps the button off", async () => {
  const org = await createOrganization(stage.sql, { plan: "free_trial" });
  const { page } = await stage.phone();
  await enter(stage, page, org.users.member);
  await page.goto("/checkout?plan=pro&billing=yearly");
  await page
    .getByRole("alert")
    .getByText(
      "Vous devez être propriétaire ou administrateur d'une organisation pour souscrire à un plan",
    )
    .waitFor();
  expect(await page.getByRole("button", { name: "Payer" }).isDisabled()).toBe(true);
});
