import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/**
 * Every form of the application keeps what was typed when the session ends in mid-form (`ui/unsaved/use-unsaved-input.tsx`), or
 * has a reason not to.
 */

const features = fileURLToPath(new URL("./features/", import.meta.url));

/** A form, or controls that its own component holds. */
const FORM = /<form\b|\buseForm[<(]/;
const CONTROL = /<(input|textarea|TextInput|TextArea|SelectInput|SelectField|Switch|Choice)\b/;
const STATE = /\buseState\b/;

const KEEPS = /\buseUnsaved(Form|Input)[<(]/;

const SECRET = "holds a password or a code";
const BEFORE_SIGN_IN = "nobody is signed in yet, and what is typed is a way in";

const LOOKS = "chooses what is shown, and saves nothing";

/** Forms that keep nothing, each with its reason. */
const REASONS: Readonly<Record<string, string>> = {
  "api-keys/new-key-form.tsx": "shows the form of new-key-dialog.tsx, which keeps it",
  "brand/color-card.tsx": "shows the colour of brand-page.tsx, which keeps it",
  "stores/form/store-form.tsx": "goes around the forms of the stores' pages, which keep them",
  "marketing/clear/calculator.tsx":
    "works out an example for whoever reads the landing page, and saves nothing",
  "onboarding/organization-page.tsx": "has a draft on the device at every key (draft.ts)",
  "billing/checkout/checkout-pay.tsx":
    "chooses campaigns on the way to the payment, and saves nothing",
  "billing/prices/pricing-page.tsx": LOOKS,
  "brand/logo-card.tsx": "sends a picture as soon as it is chosen",
  "customers/profile/spend-dialog.tsx":
    "holds one choice of a reward, for somebody who waits at the counter",
  "dashboard/report/monthly-report-card.tsx": "chooses the month to take along, and saves nothing",
  "dashboard/period/period-switch.tsx": LOOKS,
  "campaigns/posters/poster-editor.tsx": LOOKS,
  "redeem/presence/presence-dialog.tsx": LOOKS,
  "redeem/printed-codes/verify-page.tsx": LOOKS,
  "rewards/figures/reward-stats-page.tsx": LOOKS,
  "reviews/gesture/give-code.tsx":
    "holds one choice of a reward, and is shut when the page comes back",
  "rewards/checks/prize-checks.tsx": LOOKS,
  "rewards/points/points-page.tsx": "saves its switch as soon as it is turned",
  "rewards/reward-menu.tsx": "chooses a campaign and leads to its wheel, and saves nothing",
  "service/contact-page.tsx": "has a draft on the device at every key (web/site/contact.ts)",
  "shell/palette/palette.tsx": "holds a search",
  "team/team-page.tsx": "holds one choice, which has to be made with care at the end",
  "auth/sign-in/auth-page.tsx": BEFORE_SIGN_IN,
  "auth/confirmation/confirm-page.tsx": SECRET,
  "auth/sign-in/credentials-form.tsx": BEFORE_SIGN_IN,
  "auth/proof/prove-identity.tsx": SECRET,
  "auth/second-factor/factor-form.tsx": SECRET,
  "auth/password/forgot-password-page.tsx": BEFORE_SIGN_IN,
  "auth/confirmation/awaited-notice.tsx": SECRET,
  "auth/second-factor/recovery-form.tsx": SECRET,
  "auth/password/reset-form.tsx": SECRET,
  "redeem/till/code-entry.tsx": "holds a customer's live code, which is scanned or read again",
  "security/factors/enrol-factor.tsx":
    "holds a proposed name, a number or a code, and leads to a question that ends with the session",
  "security/passkeys/passkeys-card.tsx": "holds the name that the list shows",
  "security/password/password-page.tsx": SECRET,
  "settings/own-data/end-dialog.tsx":
    "asks for a name to make one pause, which has to be typed at the end",
};

it("every form keeps what was typed when its session ends, or says why not", async () => {
  const entries = await readdir(features, { recursive: true, withFileTypes: true });
  const silent: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(".tsx")) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    const text = await readFile(path, "utf8");
    const isForm = FORM.test(text) || (CONTROL.test(text) && STATE.test(text));
    if (isForm && !KEEPS.test(text)) silent.push(path.slice(features.length));
  }
  expect(silent.sort()).toEqual(Object.keys(REASONS).sort());
});

/** Arguments of a call whose opening parenthesis is at a place of a text: how many, at its own depth. */
function countArguments(text: string, open: number): number {
  let depth = 0;
  let count = 1;
  for (const sign of text.slice(open)) {
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
    if (depth === 0) return count;
    if (sign === "," && depth === 1) count += 1;
  }
  return count;
}

it("no form goes on telling why the server refused, when what is sent next is wrong itself", async () => {
  const entries = await readdir(features, { recursive: true, withFileTypes: true });
  const stale: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(".tsx")) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    const text = await readFile(path, "utf8");
    for (const { index, 0: call } of text.matchAll(/\bhandleSubmit\(/g)) {
      if (countArguments(text, index + call.length - 1) < 2)
        stale.push(path.slice(features.length));
    }
  }
  expect(stale).toEqual([]);
});
