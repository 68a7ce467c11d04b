import type { PhoneErrors } from "./phone-errors.ts";

/** German of the refusals that phone pages show. */
export const errorCopy = {
  campaign_not_found: "Rad nicht gefunden oder nicht aktiv",
  campaign_failed: "Das Rad konnte nicht geladen werden",
  review_failed: "Ihre Bewertung konnte nicht gesendet werden",
  feedback_failed: "Ihre Nachricht konnte nicht gesendet werden",
  feedback_exists: "Ihre Nachricht wurde schon gesendet. Danke!",
  customer_failed: "Diese Angaben lassen sich nicht speichern",
  review_not_found: "Bitte scannen Sie den QR-Code noch einmal von Anfang an",
  wheel_failed: "Das Rad ließ sich nicht drehen",
  nothing_to_draw: "An diesem Rad gibt es gerade nichts zu gewinnen",
  draw_failed: "Die Auslosung hat nicht funktioniert",
  record_failed: "Es ließ sich nicht speichern",
  spins_used_up:
    "Das Rad macht Pause: Alle Drehungen dieses Monats sind ausgespielt. Schauen Sie bald wieder vorbei.",
  already_played: "Sie haben schon gespielt. Versuchen Sie Ihr Glück bald wieder.",
  presence_missing: "Zeigen Sie, dass Sie vor Ort sind, und drehen Sie dann am Rad.",
  presence_wrong:
    "Das ist nicht, was gerade angezeigt wird. Schauen Sie noch einmal hin und versuchen Sie es erneut.",
  prize_not_found: "Dieser Gewinn ist hier nicht bekannt. Zeigen Sie den Code an der Kasse vor.",
  points_reward_gone: "Dieses Geschenk gibt es nicht mehr. Ihre Punkte bleiben unangetastet.",
  points_cost_changed: "Die nötige Punktzahl hat sich geändert. Ihre Punkte bleiben unangetastet.",
  points_missing: "Ihnen fehlen Punkte für dieses Geschenk.",
  points_sold_out: "Es ist keines mehr da. Ihre Punkte bleiben unangetastet.",
  points_request_reused: "Diese Anfrage wurde schon verwendet. Öffnen Sie Ihre Punkte noch einmal.",
  email_needed: "Geben Sie die Adresse an, an die es gehen soll.",
  body_too_large: "Die Anfrage ist zu lang.",
  invalid_request: "In dieser Adresse fehlt etwas",
  too_many_attempts: "Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es noch einmal.",
  method_not_allowed: "Diese Aktion gibt es nicht.",
  not_found: "Diese Aktion gibt es nicht.",
  internal_error: "Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.",
  service_unavailable:
    "Der Dienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.",
} satisfies PhoneErrors;
