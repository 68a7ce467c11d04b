const HOUR = 3_600;

/** Mails that exist, and how long each is worth sending, in seconds: a link that has expired is useless. */
export const VALID_SECONDS = {
  confirmation: HOUR,
  recovery: HOUR,
  magic_link: HOUR,
  email_change: HOUR,
  invitation: 6 * HOUR,
  account_invitation: HOUR,
  reauthentication: HOUR,
  password_changed: 24 * HOUR,
  email_changed: 24 * HOUR,
  phone_changed: 24 * HOUR,
  factor_added: 24 * HOUR,
  factor_removed: 24 * HOUR,
  passkey_added: 24 * HOUR,
  passkey_removed: 24 * HOUR,
  account_deleted: 24 * HOUR,
  prize: 24 * HOUR,
  prize_reminder: 24 * HOUR,
  prize_held: 24 * HOUR,
  prize_cancelled: 24 * HOUR,
  prize_released: 24 * HOUR,
  low_rating: 24 * HOUR,
  review_answer: 48 * HOUR,
  review_gesture: 48 * HOUR,
  daily_summary: 24 * HOUR,
  weekly_summary: 24 * HOUR,
  monthly_report: 72 * HOUR,
  contact_request: 48 * HOUR,
  organization_end: 48 * HOUR,
  organization_kept: 48 * HOUR,
  organization_erased: 48 * HOUR,
  access_ended: 48 * HOUR,
  trial_ending: 48 * HOUR,
  trial_ended: 48 * HOUR,
  payment_failed: 48 * HOUR,
  plan_suspended: 48 * HOUR,
  plan_ended: 48 * HOUR,
} as const;

/** Name of a mail (`email_change` goes to the old and to the new address); each has its texts in `supabase/templates`. */
export type MailTemplate = keyof typeof VALID_SECONDS;
