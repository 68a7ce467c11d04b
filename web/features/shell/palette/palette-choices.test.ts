import { describe, expect, it } from "vitest";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { SCREENS } from "../../../lib/screens.ts";
import { pageGroup } from "./palette-choices.ts";

/** Pages that the palette offers, by the words that people type and by what a role opens. */

const workspaceOf = (permissions: readonly string[], ended = false): Workspace => ({
  organization: {
    id: "b0000000-0000-4000-8000-000000000001",
    name: "Rita",
    slug: "rita",
    erase_at: null,
  },
  role: null,
  permissions: [...permissions],
  stores: [],
  has_archived_store: false,
  has_campaign: true,
  unread_reviews: 0,
  open_checks: 0,
  plan: {
    ...{ plan: "pro", status: "active", trial_end: null, ends_at: null, past_due_since: null },
    due_until: null,
    ...{ is_open: !ended, is_suspended: false },
    readable_until: ended ? "2020-01-01T00:00:00Z" : null,
  },
});

const EVERY = ["organization.export", ...Object.values(SCREENS).filter((one) => one !== null)];
const ALL = workspaceOf(EVERY);

const titles = (workspace: Workspace, text: string) =>
  pageGroup(workspace, text).choices.map(({ title }) => title);

describe("pages of the palette", () => {
  it.each([
    ["clés API", "Clés d'API"],
    ["équipe", "Équipe"],
    ["collegue", "Inviter un membre"],
    ["rôles", "Rôles personnalisés"],
    ["facturation", "Abonnement"],
    ["logo", "Logo et couleur"],
    ["historique", "Journal d'activité"],
    ["2FA", "Double authentification"],
    ["supprimer mon compte", "Mes données et mon compte"],
    ["alertes", "Notifications"],
  ])("« %s » finds « %s »", (text, title) => {
    expect(titles(ALL, text)).toContain(title);
  });

  it("lead to every page of the settings, and to sections by their address", () => {
    const targets = pageGroup(ALL, "").choices.map(({ target }) => target);
    const pages = targets.map(({ to }) => to);
    for (const screen of Object.keys(SCREENS)) {
      if (/^\/(settings|team)\//.test(screen)) expect(pages).toContain(screen);
    }
    expect(targets).toContainEqual({ to: "/settings", search: { section: "subscription" } });
    const keys = pageGroup(ALL, "").choices.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("are those that the role opens", () => {
    const reader = workspaceOf(["activity.read", "rewards.read"]);
    expect(titles(reader, "")).toContain("Équipe");
    for (const text of ["clés API", "rôles", "logo", "historique", "inviter", "exporter"]) {
      expect(titles(reader, text)).toEqual([]);
    }
  });

  it("hold none of the settings for those who have none", () => {
    const cashier = workspaceOf(["codes.redeem"]);
    for (const workspace of [cashier, workspaceOf(EVERY, true)]) {
      expect(titles(workspace, "équipe")).toEqual([]);
      expect(titles(workspace, "facturation")).toEqual([]);
      expect(titles(workspace, "mot de passe")).toEqual(["Mot de passe"]);
    }
  });

  it("are none for signs alone", () => {
    expect(titles(ALL, "?!")).toEqual([]);
  });
});
