import { API_REQUESTS_PER_MINUTE } from "#domain/schemas/api-keys.ts";

/** A part of the documentation: words, then an example to copy. */
export type DocsSection = {
  id: string;
  title: string;
  paragraphs: readonly string[];
  examples?: readonly { label: string; code: string }[];
};

/** `/docs/api`. Examples speak to the site that shows them. */
export const apiDocsCopy = {
  title: "Documentation de l'API",
  intro:
    "Lisez vos données depuis vos propres logiciels, et validez les codes depuis votre caisse. L'API est incluse dans le plan Pro.",
  contents: "Sommaire",
  tables: "Les tables",
  tablesText:
    "Chaque table se lit à son adresse. Une clé de lecture voit les lignes de votre organisation, et aucune autre.",
  table: "Table",
  holds: "Ce qu'elle contient",
  openApi: "Description OpenAPI (JSON)",
  copy: "Copier",
  copied: "Copié",
  refusals: "Les refus",
  status: "Statut",
  meaning: "Ce que cela veut dire",
  sections: (origin: string): readonly DocsSection[] => [
    {
      id: "cles",
      title: "Les clés",
      paragraphs: [
        "Le propriétaire et les administrateurs créent les clés dans Paramètres, Clés d'API. Une clé n'est montrée qu'une fois, se révoque à tout moment, et peut expirer.",
        "Une clé de lecture lit vos tables et n'écrit rien. Une clé de caisse consulte et utilise des codes, et ne lit rien d'autre.",
        "Gardez vos clés sur vos serveurs : jamais dans une page web, une application mobile ou une adresse.",
      ],
    },
    {
      id: "lire",
      title: "Lire des données",
      paragraphs: [
        "Envoyez la clé dans l'en-tête « apikey ». Choisissez les colonnes avec « select », filtrez par colonne, triez avec « order », et paginez avec « limit » et « offset », 1000 lignes au plus à la fois.",
      ],
      examples: [
        {
          label: "curl",
          code: `curl "${origin}/rest/v1/pre_spin_reviews?select=rating,review_text,created_at&rating=lte.3&order=created_at.desc&limit=20" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
        {
          label: "JavaScript",
          code: `import { createClient } from "@supabase/supabase-js";

const tournavis = createClient("${origin}", process.env.TOURNAVIS_KEY);

const { data, error } = await tournavis
  .from("customers")
  .select("name, email, created_at")
  .eq("consent_marketing", true)
  .order("created_at", { ascending: false })
  .limit(100);`,
        },
      ],
    },
    {
      id: "caisse",
      title: "Valider un code",
      paragraphs: [
        "Avec une clé de caisse : « lookup_code » dit ce qu'est un code sans l'utiliser, « redeem » l'utilise une seule fois. L'identifiant du magasin se lit dans la table « stores », avec une clé de lecture.",
        "« request_id » est un UUID de votre choix, nouveau pour chaque validation. Si la réponse se perd, renvoyez la demande avec le même : vous recevez la première réponse, et le code n'est utilisé qu'une fois.",
      ],
      examples: [
        {
          label: "curl",
          code: `curl -X POST "${origin}/functions/v1/redeem" \\
  -H "authorization: Bearer $TOURNAVIS_KEY" \\
  -H "content-type: application/json" \\
  -d '{"code": "WINABCD2345", "store_id": "…", "request_id": "…"}'`,
        },
        {
          label: "JavaScript",
          code: `const { data: code } = await tournavis.rpc("lookup_code", {
  p_code: "WINABCD2345",
  p_store_id: storeId,
});

if (code.state === "available") {
  const requestId = crypto.randomUUID();
  await tournavis.functions.invoke("redeem", {
    body: { code: code.code, store_id: storeId, request_id: requestId },
  });
}`,
        },
      ],
    },
    {
      id: "jeton",
      title: "Échanger une clé contre un jeton",
      paragraphs: [
        "Si Tournavis est installé sur un projet Supabase, la lecture demande un jeton de dix minutes, que cette fonction donne contre la clé. Ailleurs, la clé suffit.",
      ],
      examples: [
        {
          label: "curl",
          code: `curl -X POST "${origin}/functions/v1/api-token" \\
  -H "authorization: Bearer $TOURNAVIS_KEY"`,
        },
      ],
    },
    {
      id: "limites",
      title: "Les limites",
      paragraphs: [
        `Chaque clé peut faire ${API_REQUESTS_PER_MINUTE} demandes par minute, et valider 120 codes. Au-delà, la réponse 429 dit dans « Retry-After » combien de secondes attendre.`,
        "Une clé s'éteint avec le plan Pro, et se rallume avec lui.",
      ],
    },
  ],
} as const;
