/** Texts that the terminal shows around the life of the server. */
export const runCopy = {
  building: "Construction des pages (une seule fois)…",
  stopping: "\nArrêt : les demandes en cours se terminent…",
  help: `Tournavis : des avis, une roue, des cadeaux.

  npm start                démarre le serveur
  npm start -- --lan       l'ouvre au réseau local, pour essayer avec un téléphone
  npm start -- --no-demo   commence sans le magasin de démonstration
  npm start -- --help      affiche cette aide
  npm run backup           sauvegarde tout dans un fichier ; npm run restore le remet (-- --help)
  npm run keys             clés qui signent les sessions, et leur remplacement (-- --help)
  npm run operator         dépannage des comptes et des organisations (-- --help)

Variables d'environnement :
  PORT            port d'écoute (3000 ; 0 en prend un libre)
  HOST            adresse d'écoute (127.0.0.1)
  PUBLIC_URL      adresse publique ; hors du réseau local, elle met en production
  TOURNAVIS_DATA  dossier de données (./data)
  DATABASE_URL    serveur PostgreSQL à employer au lieu de l'embarqué
  DATABASE_POOL_URL      PgBouncer devant ce serveur
  TRUST_PROXY     proxys de confiance : leur nombre, ou leurs adresses et réseaux
  DEMO_PASSWORD   mot de passe du magasin de démonstration
  OPERATOR_FILE   fichier JSON qui dit qui exploite le service (pages légales)
  METRICS_TOKEN   jeton qui ouvre /metrics à une autre machine
  SMTP_URL, MAIL_FROM    serveur d'envoi et expéditeur des e-mails
  SMS_URL, SMS_TOKEN     passerelle de SMS
  STRIPE_…        compte du prestataire de paiement : les variables sont dans README.md
  PAYMENTS        off : personne ne peut s'abonner
  GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET    connexion avec Google
  GOOGLE_PLACES_KEY      clé de l'API Places : note de la page publique des magasins
  CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY, CAPTCHA_SECRET    captcha
  BACKUP_AT, BACKUP_KEEP_DAYS    heure (UTC) de la sauvegarde quotidienne, ou off ; jours gardés
  BACKUP_FOLDER, BACKUP_PASSPHRASE    où vont les sauvegardes, et ce qui protège leurs secrets
  SIGNING_KEYS    clés qui signent les sessions, au lieu de celles du dossier
  VAPID_KEYS      clés des notifications sur les appareils, au lieu de celles du dossier
  ANONYMOUS_SIGN_IN      1 : une session sans compte est permise`,
  misspelt: "{name} n'est pas une variable de Tournavis : vouliez-vous dire {meant} ?",
  title: "Tournavis est prêt.",
  address: "Adresse",
  mailbox: "E-mails (sans envoi)",
  campaign: "Campagne",
  signIn: "Compte de démonstration",
  password: "Mot de passe",
  passwordGiven: "celui que DEMO_PASSWORD donnait au premier démarrage",
  passwordUnknown: "inconnu de ce dossier ; « Mot de passe oublié » en donne un autre",
  passwordHidden: "dans le fichier {file}",
  moved: "Le compte « postgres » ne peut pas entrer dans {asked} : les données sont dans {folder}.",
  lanHint: "Pour essayer avec un téléphone du même réseau : npm start -- --lan",
  stopHint: "Ctrl+C pour arrêter.",
} as const;
