/** Texts that the terminal shows about the keys that sign access tokens. */
export const keysCopy = {
  help: `  npm run keys                     montre les clés qui signent les sessions
  npm run keys -- standby          prépare la suivante (--hs256 : un secret partagé)
  npm run keys -- rotate           la met en service ; l'ancienne reste reconnue
  npm run keys -- revoke <nom>     retire une clé, 75 minutes après son service
  npm run keys -- revoke <nom> --now    tout de suite, si quelqu'un l'a volée

  Personne n'est déconnecté. Les serveurs qui tournent suivent en quelques secondes.
  Avec SIGNING_KEYS, la commande écrit la nouvelle valeur au lieu de la garder.`,
  statuses: {
    standby: "en attente",
    in_use: "en service",
    previously_used: "précédente",
  },
  key: "{status}  {alg}  {name}  (depuis le {since} UTC)",
  changed: "C'est fait : les serveurs suivent en quelques secondes.",
} as const;

/** Refusals around these keys. */
export const keysRefusals = {
  invalid_signing_keys:
    "SIGNING_KEYS n'est pas une liste de clés comme npm run keys les écrit : une seule en service, une en attente au plus.",
  signing_keys_unreadable:
    "Le fichier secrets/signing-keys de {folder} est abîmé : remettez-le depuis une sauvegarde.",
  keys_nothing_there:
    "Aucune installation dans {folder} : donnez le TOURNAVIS_DATA du serveur. Rien n'a été modifié.",
  keys_standby_exists: "Une clé attend déjà : npm run keys -- rotate la met en service.",
  keys_no_standby: "Aucune clé n'attend : préparez-en une avec npm run keys -- standby.",
  keys_name_missing: "Nommez la clé à retirer : npm run keys les montre.",
  keys_unknown: "Aucune clé ne s'appelle {name} : npm run keys les montre.",
  keys_in_use: "La clé {name} est en service : mettez-en d'abord une autre (standby, puis rotate).",
  keys_still_believed:
    "Des sessions se servent encore de la clé {name} jusqu'à {until}. Attendez, ou ajoutez --now si quelqu'un l'a volée.",
} as const;
