import type { RulesContent } from "#domain/schemas/campaign-rules.ts";
import type { RulesDocument } from "../page-data.ts";

const prize = {
  name: "Café offert",
  type: "gift",
  value: 2.5,
  discount: null,
  item: null,
  points: null,
  validity_days: 30,
  max_per_user: 1,
  number: 200,
  odds: 33.33,
  labels: ["Un café"],
} as const;

/** The rules of a draw to render, in their second of two versions. */
export function rulesDocument(change: Partial<RulesContent> = {}): RulesDocument {
  return {
    kind: "rules",
    operator: {
      company: "Roue & Cie",
      address: "1 place du Marché, 69001 Lyon",
      contact_email: "bonjour@roue.exemple.fr",
    },
    page: {
      id: "6a1f0000-0000-4000-8000-000000000001",
      slug: "demo",
      campaign: "La roue de l'année",
      version: 2,
      published_at: "2026-03-02T10:00:00Z",
      in_force: 2,
      white_label: false,
      brand: null,
      pictures: [],
      words: [],
      versions: [
        { version: 2, published_at: "2026-03-02T10:00:00Z" },
        { version: 1, published_at: "2026-01-02T10:00:00Z" },
      ],
      content: {
        wording: 1,
        organizer: "Maison Lilas",
        store: { name: "Café des Lilas", address: "4 rue des Lilas, 75020 Paris" },
        timezone: "Europe/Paris",
        starts_at: "2026-01-05T08:00:00Z",
        ends_at: "2026-12-31T22:59:00Z",
        play_interval_days: 7,
        prizes: [
          { ...prize, labels: [...prize.labels] },
          {
            ...prize,
            name: "Remise",
            type: "coupon",
            value: null,
            discount: 10,
            number: null,
            labels: ["Remise"],
          },
          {
            ...prize,
            name: "Points",
            type: "points",
            points: 1000,
            validity_days: null,
            max_per_user: 3,
            labels: ["Points"],
          },
        ],
        losing: { odds: 50, labels: ["Pas de chance"] },
        ...change,
      },
    },
  };
}
