import type { Wording } from "#domain/text/wording.ts";
import type { offersCopy as french } from "./offers.copy.ts";

/** German of the page by which a customer withdraws their consent to offers. */
export const offersCopy = {
  title: "Keine Angebote mehr erhalten",
  ask: (organizer) =>
    `${organizer} darf Ihnen dann keine Angebote mehr schicken. Ihre Gewinne bleiben gültig.`,
  confirm: "Einwilligung widerrufen",
  doneTitle: "Erledigt",
  done: (organizer) =>
    `${organizer} darf Ihnen keine Angebote mehr schicken. Ihre Gewinne bleiben gültig. Wenn Sie es sich anders überlegen, setzen Sie das Häkchen bei Ihrem nächsten Besuch wieder.`,
  shop: "Dieses Geschäft",
  gone: "Dieses Geschäft nutzt unseren Dienst nicht mehr: Hier ist nichts mehr über Sie gespeichert.",
  badTitle: "Unvollständiger Link",
  bad: "Öffnen Sie den Link in der E-Mail noch einmal, oder bitten Sie das Geschäft, Ihre Einwilligung zu löschen.",
  failed: "Ihre Wahl konnte nicht gespeichert werden. Versuchen Sie es noch einmal.",
  loading: "Einen Moment",
} satisfies Wording<typeof french>;
