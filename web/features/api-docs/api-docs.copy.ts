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
  refusalsText:
    "La réponse d'une table contient « code », « message », « details » et « hint » ; celle d'une fonction les donne dans « error », sans « hint ». Comparez le code : le message est fait pour être lu, et peut changer.",
  /** Statuses beside those that every address of the API's description has. */
  otherRefusals: {
    "400":
      "Une colonne, un filtre ou une valeur n'existe pas ou s'écrit autrement : le message dit laquelle.",
    "404": "L'adresse n'existe pas ; pour « redeem », le code est inconnu (« code_not_found »).",
    "409":
      "Le code ne peut pas servir : « code_used », « code_expired », « code_held » (à vérifier), « code_cancelled », « code_other_store » ou « code_test ».",
    "431": "L'adresse est trop longue : coupez une liste « in.(…) » par 200 identifiants.",
    "503":
      "Le service est indisponible un instant. « Retry-After » dit combien de secondes attendre.",
  },
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
        "Envoyez la clé dans l'en-tête « apikey ». Choisissez les colonnes avec « select », filtrez par colonne, triez avec « order », et paginez avec « limit » et « offset », 1000 lignes et 4 Mo au plus à la fois.",
        "« in.(a,b) » accepte plusieurs valeurs, « or=(a.eq.1,b.eq.2) » plusieurs filtres, dont un suffit. Une valeur qui contient une virgule ou une parenthèse s'y écrit entre guillemets. L'en-tête « Prefer » avec « count=exact » compte les lignes, et « Accept » avec « text/csv » les donne en CSV.",
        "Les exemples en JavaScript utilisent la bibliothèque « @supabase/supabase-js », qui demande Node 22 ou plus récent.",
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
      id: "retrouver",
      title: "Retrouver un client ou un code",
      paragraphs: [
        "Trois colonnes retrouvent une ligne sans parcourir les autres : « email_normalized » (l'adresse en minuscules, sans ce qui suit un « + », et pour Gmail sans points), « phone_normalized » (le numéro avec son indicatif, sans espaces) et « code_key » (les lettres et les chiffres d'un code, en majuscules).",
        "Dans une adresse, « + » s'écrit « %2B ».",
      ],
      examples: [
        {
          label: "Par e-mail",
          code: `curl "${origin}/rest/v1/customers?select=id,name,created_at&email_normalized=eq.marie.petit@exemple.fr" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
        {
          label: "Par téléphone",
          code: `curl "${origin}/rest/v1/customers?select=id,name,created_at&phone_normalized=eq.%2B33612345678" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
        {
          label: "Par code",
          code: `curl "${origin}/rest/v1/redemptions?select=code,status,expires_at&code_key=eq.WINABCD2345" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
      ],
    },
    {
      id: "synchroniser",
      title: "Tout lire, puis ce qui est nouveau",
      paragraphs: [
        "Triez par « created_at » puis par « id », et demandez chaque fois ce qui suit la dernière ligne lue : rien n'est oublié, même si des lignes arrivent entre deux pages, et la millième page vient aussi vite que la première. « offset » relit toutes les lignes qu'il passe.",
        "La fois suivante, repartez d'une minute avant la dernière ligne : ce qui s'écrivait pendant votre lecture y est aussi. Quelques lignes reviendront une seconde fois : reconnaissez-les à leur « id ».",
      ],
      examples: [
        {
          label: "JavaScript",
          code: `const reviews = [];
let last = { created_at: "2026-01-01T00:00:00Z", id: "00000000-0000-0000-0000-000000000000" };
for (;;) {
  const { data, error } = await tournavis
    .from("pre_spin_reviews")
    .select("id, rating, review_text, created_at")
    .gte("created_at", last.created_at)
    .or(\`created_at.gt.\${last.created_at},id.gt.\${last.id}\`)
    .order("created_at")
    .order("id")
    .limit(1000);
  if (error) throw error;
  reviews.push(...data);
  if (data.length < 1000) break;
  last = data[data.length - 1];
}`,
        },
      ],
    },
    {
      id: "suivre",
      title: "Suivre ce qui change",
      paragraphs: [
        "Le message d'un avis vient après sa note, et « feedback_at » dit quand : lisez aussi les avis par cette colonne.",
        "« consent_withdrawn_at » date un consentement retiré : suivez-le souvent. « consent_at » date un consentement donné, et se cherche parmi tous vos clients : une fois par jour suffit. Avant un envoi, seul « consent_marketing » dit si le client l'accepte.",
        "Aucune clé n'efface un client. À sa demande, effacez-le sur sa page dans Tournavis, puis dans vos logiciels. Il n'est alors plus dans « customers » : pour savoir lesquels de vos clients y sont encore, demandez leurs identifiants avec « id=in.(…) ».",
      ],
      examples: [
        {
          label: "Messages",
          code: `curl "${origin}/rest/v1/pre_spin_reviews?select=id,rating,review_text,feedback_at&feedback_at=gte.2026-01-01&order=feedback_at,id" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
        {
          label: "Consentements retirés",
          code: `curl "${origin}/rest/v1/customers?select=id,email,consent_marketing&consent_withdrawn_at=gte.2026-01-01&order=consent_withdrawn_at,id" \\
  -H "apikey: $TOURNAVIS_KEY"`,
        },
      ],
    },
    {
      id: "chiffres",
      title: "Les chiffres dans un tableur",
      paragraphs: [
        "« campaign_daily_stats » a une ou plusieurs lignes par campagne et par jour : additionnez-les. Un jour est celui du magasin. La note moyenne est « rating_sum » divisé par « reviews ».",
        "Le CSV a les noms des colonnes sur sa première ligne, des virgules entre les valeurs, et 1000 lignes au plus : la suite se demande avec « offset ».",
      ],
      examples: [
        {
          label: "curl",
          code: `curl "${origin}/rest/v1/campaign_daily_stats?select=day,campaign_id,scans,reviews,rating_sum,spins,wins,redemptions&day=gte.2026-01-01&order=day,campaign_id,shard" \\
  -H "apikey: $TOURNAVIS_KEY" \\
  -H "accept: text/csv"`,
        },
      ],
    },
    {
      id: "caisse",
      title: "Valider un code",
      paragraphs: [
        "Avec une clé de caisse : « lookup_code » dit ce qu'est un code sans l'utiliser, « redeem » l'utilise une seule fois. L'identifiant du magasin se lit dans la table « stores », avec une clé de lecture.",
        "« request_id » est un UUID de votre choix, nouveau pour chaque validation. Si la réponse se perd, renvoyez la demande avec le même : vous recevez la première réponse, et le code n'est utilisé qu'une fois.",
        "Pour un code inconnu, « lookup_code » répond « unknown » ; « redeem » le refuse.",
        "En JavaScript, « await error.context.json() » donne la réponse d'un refus (« FunctionsHttpError »). Une « FunctionsFetchError » est une réponse perdue.",
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
  const { error } = await tournavis.functions.invoke("redeem", {
    body: { code: code.code, store_id: storeId, request_id: requestId },
  });
  if (error) throw error;
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
        "Une clé cesse de fonctionner quand le plan Pro s'arrête, et fonctionne de nouveau dès qu'il reprend.",
      ],
    },
  ],
} as const;
