import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetVisit } from "../memory/visit-memory.ts";
import { stubBrowser } from "../testing/browser-stubs.ts";
import { makeCampaign, REVIEW_ID } from "../testing/campaign.ts";
import { keptDraft } from "./details.ts";
import { type FormDraft, forgetDraft, hasDraft, recallDraft, rememberDraft } from "./form-draft.ts";

const { id } = makeCampaign();
const draft: FormDraft = {
  first_name: "Zoé",
  last_name: "",
  contact: "phone",
  email: "zoe@exem",
  phone: "06 12",
  consent_marketing: true,
};

beforeEach(() => {
  stubBrowser();
  forgetDraft(id);
});

afterEach(() => vi.unstubAllGlobals());

describe("what is typed into the form", () => {
  it("is kept in the tab, valid or not, and never on the phone", () => {
    expect(hasDraft(id)).toBe(false);
    rememberDraft(id, draft);
    expect(hasDraft(id)).toBe(true);
    expect(recallDraft(id, keptDraft)).toEqual(draft);
    expect(window.localStorage.getItem(`tournavis:${id}:draft`)).toBeNull();
    expect(recallDraft(REVIEW_ID, keptDraft)).toBeNull();
  });

  it("is forgotten with the visit", () => {
    rememberDraft(id, draft);
    forgetVisit(id);
    expect(hasDraft(id)).toBe(false);
  });
});
