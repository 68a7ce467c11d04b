import { expect, it } from "vitest";
import {
  ADDRESS_MAX_LENGTH,
  CODE_TEMPLATE_MAX_LENGTH,
  DESCRIPTION_MAX_LENGTH,
  EMAIL_MAX_LENGTH,
  FEEDBACK_MAX_LENGTH,
  NAME_MAX_LENGTH,
  TEAM_TEXT_MAX_LENGTH,
  TEMPLATE_MAX_LENGTH,
  TEMPLATE_NAME_MAX_LENGTH,
} from "#domain/rules/constants.ts";
import { REVIEW_URL_MAX_LENGTH } from "#domain/rules/review-links.ts";
import { LABEL_MAX_LENGTH } from "#domain/schemas/campaigns.ts";
import { setUpTestDatabase } from "../harness/database.ts";

/** Longest texts: forms and requests take as much as the columns that store them. */

const database = setUpTestDatabase();

it.each([
  ["organizations", "name", NAME_MAX_LENGTH],
  ["stores", "name", NAME_MAX_LENGTH],
  ["stores", "address", ADDRESS_MAX_LENGTH],
  ["stores", "google_review_url", REVIEW_URL_MAX_LENGTH],
  ["campaigns", "name", NAME_MAX_LENGTH],
  ["campaigns", "description", DESCRIPTION_MAX_LENGTH],
  ["rewards", "name", NAME_MAX_LENGTH],
  ["rewards", "description", DESCRIPTION_MAX_LENGTH],
  ["rewards", "code_template", CODE_TEMPLATE_MAX_LENGTH],
  ["points_rewards", "name", NAME_MAX_LENGTH],
  ["wheel_segments", "label", LABEL_MAX_LENGTH],
  ["customers", "first_name", NAME_MAX_LENGTH],
  ["customers", "last_name", NAME_MAX_LENGTH],
  ["customers", "email", EMAIL_MAX_LENGTH],
  ["pre_spin_reviews", "review_text", FEEDBACK_MAX_LENGTH],
  ["review_actions", "body", TEAM_TEXT_MAX_LENGTH],
  ["answer_templates", "name", TEMPLATE_NAME_MAX_LENGTH],
  ["answer_templates", "body", TEMPLATE_MAX_LENGTH],
])("%s.%s holds as many characters as are typed: %s", async (table, column, length) => {
  const bounds = await database.sql`
    select distinct substring(pg_get_constraintdef(c.oid) from ${`\\(length\\(${column}\\) <= ([0-9]+)\\)`})::integer as most
    from pg_constraint c
    where c.conrelid = ('public.' || ${table}::text)::regclass
      and pg_get_constraintdef(c.oid) ~ ${`\\(length\\(${column}\\) <=`}`;
  expect([...bounds]).toEqual([{ most: length }]);
});
