/** Business constants that the pages, the functions and the tests share (specification, section 9). */

/** Lowest and highest rating of a visit, in stars. */
export const MIN_RATING = 1;
export const MAX_RATING = 5;

/** Best rating of a bad visit, which is dealt with: alerts, the inbox and the step after a rating begin here (SQL: `private.is_bad_rating`). */
export const BAD_RATING = 3;

/** Shortest private feedback, in characters after trimming (specification, section 5). */
export const FEEDBACK_MIN_LENGTH = 20;

/** Longest private feedback, in characters: bounds what a hostile client can store. */
export const FEEDBACK_MAX_LENGTH = 4000;

/** Shortest name on the wheel page, in characters after trimming. */
export const PLAYER_NAME_MIN_LENGTH = 2;

/** Longest answer to a review, and longest note of the team about a review or a customer, in characters. */
export const TEAM_TEXT_MAX_LENGTH = 4000;

/** How long a colleague who begins an answer keeps the review, in minutes. */
export const REVIEW_CLAIM_MINUTES = 5;

/** Longest text that is searched for, in characters. */
export const SEARCH_MAX_LENGTH = 120;

/** Most days of which figures are shown at once. */
export const PERIOD_MAX_DAYS = 366;

/** Longest interval between two plays of one person, in days. */
export const PLAY_INTERVAL_MAX_DAYS = 365;

/** How long a free trial lasts, in days. */
export const TRIAL_DAYS = 14;

/** How long the link of an invitation is valid, in days. */
export const INVITATION_DAYS = 7;

/** How long a code is valid when the merchant chose no number, in days after the day at the store (SQL: `private.validity_days`). */
export const USUAL_VALIDITY_DAYS = 30;

/** Longest validity of a code or of points, in days. */
export const MAX_VALIDITY_DAYS = 3650;

/** How long a code that was bought with points is valid, in days after the day at the store; phone pages say the number in six languages. */
export const POINTS_CODE_DAYS = 30;

/** How long the till's screen shows one code of presence, in seconds; phone pages say the number in six languages. */
export const PRESENCE_STEP_S = 30;

/** Longest first, last or full name, in characters. */
export const NAME_MAX_LENGTH = 120;

/** Longest description of a campaign or of a reward, in characters. */
export const DESCRIPTION_MAX_LENGTH = 2000;

/** Longest postal address of a store, in characters. */
export const ADDRESS_MAX_LENGTH = 300;

/** Longest name of the thing that a reward gives, in characters. */
export const ITEM_MAX_LENGTH = 200;

/** Longest shape of a reward's codes, in characters. */
export const CODE_TEMPLATE_MAX_LENGTH = 40;

/** Longest text that answers begin with, and longest name of one, in characters. */
export const TEMPLATE_MAX_LENGTH = 2000;
export const TEMPLATE_NAME_MAX_LENGTH = 60;

/** Most turns that a phone names at once as proofs of its points; it keeps no more of them. */
export const MAX_PROOFS = 200;

/** Longest e-mail address, in characters (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254;

/** Longest code that a till sends, as it is typed or read by the camera, in characters. */
export const CODE_MAX_LENGTH = 64;

/** Longest phone number as typed, in characters. */
export const PHONE_MAX_LENGTH = 32;

/** Stock of a reward that never ends. */
export const UNLIMITED_STOCK = -1;

/** Largest stock, and most points that a reward gives or costs. */
export const MAX_COUNT = 1_000_000;

/** How long the wheel turns, in milliseconds. */
export const WHEEL_ANIMATION_MS = 5000;

/** Nominal width of the wheel, in CSS pixels. */
export const WHEEL_SIZE = 320;

/** Fewest and most full turns of one spin. */
export const WHEEL_MIN_TURNS = 5;
export const WHEEL_MAX_TURNS = 10;

/** How long « copied » stays on a copy button, in milliseconds. */
export const COPY_CONFIRMATION_MS = 2000;

/** Largest body that a server function reads, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** `source` of a visit that came through the printed QR code. */
export const SOURCE_QR = "qr";

/** Value of `?entry=` for a spin without a review. */
export const ENTRY_WITHOUT_REVIEW = "libre";

/** Time zone of a first store for which none was given; the database has the same (`private.timezone_of`). */
export const USUAL_TIMEZONE = "Europe/Paris";
