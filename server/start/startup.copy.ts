import { backupRefusals } from "../backup/backup-refusals.copy.ts";
import { operatorRefusals } from "../operator/operator.copy.ts";
import { keysRefusals } from "../tokens/keys.copy.ts";

/** Texts that the terminal shows when the server refuses to start: one line for each code. */
export const startupCopy = {
  ...backupRefusals,
  ...keysRefusals,
  ...operatorRefusals,
  unknown_argument: "Argument inconnu : {argument}. Essayez --help.",
  interrupted:
    "Commande interrompue : elle a tout fait, ou rien. Vérifiez, et relancez-la s'il le faut.",
  invalid_port: "PORT doit être un nombre de 0 à 65535 (reçu : {value}).",
  invalid_host: "HOST doit être une adresse ou un nom d'hôte (reçu : {value}).",
  invalid_public_url:
    "PUBLIC_URL doit être une adresse http(s) sans chemin, comme https://avis.exemple.fr (reçu : {value}).",
  invalid_database_url:
    "DATABASE_URL n'est pas une adresse PostgreSQL, comme postgres://compte:motdepasse@serveur:5432/base (plusieurs : serveur1:5432,serveur2:5432).",
  invalid_pool_url:
    "DATABASE_POOL_URL doit être l'adresse d'un PgBouncer, sans compte, comme postgres://serveur:6432/base.",
  pool_without_database:
    "DATABASE_POOL_URL demande aussi DATABASE_URL : l'adresse directe du PostgreSQL qui est derrière.",
  pool_unreachable:
    "PgBouncer ne laisse pas entrer les comptes du serveur à l'adresse de DATABASE_POOL_URL ({reason}) : vérifiez l'adresse, et auth_query (docs/scale.md).",
  pool_account:
    "Par DATABASE_POOL_URL, le compte {account} n'a pas ses réglages ({found}) : PgBouncer doit laisser à chacun son compte (auth_query, sans user=) ; après une mise à jour, « RECONNECT » dans sa console.",
  invalid_trust_proxy:
    "TRUST_PROXY doit être un nombre de proxys, ou une liste d'adresses et de réseaux (reçu : {value}).",
  invalid_demo_password: "DEMO_PASSWORD doit compter au moins 8 caractères.",
  invalid_metrics_token: "METRICS_TOKEN doit compter au moins 16 caractères.",
  unreadable_credential: "Un secret que systemd donne par LoadCredential ne se lit pas : {file}.",
  unreadable_secret:
    "Un secret de l'installation est un lien qui ne mène nulle part : {file}. Rendez-lui le fichier où il mène ; aucun autre secret n'est fait à sa place.",
  operator_file_missing: "OPERATOR_FILE désigne un fichier qui n'existe pas : {file}.",
  invalid_operator_file:
    "OPERATOR_FILE n'est pas un fichier JSON avec les entrées que le README nomme : {file}.",
  invalid_smtp_url:
    "SMTP_URL n'est pas une adresse SMTP, comme smtps://compte:motdepasse@courrier.exemple.fr:465.",
  invalid_mail_from:
    "MAIL_FROM doit être une adresse, seule ou avec un nom, comme Tournavis <bonjour@exemple.fr> (reçu : {value}).",
  mail_incomplete: "SMTP_URL et MAIL_FROM vont ensemble : donnez les deux, ou aucun.",
  mail_missing:
    "En production, les e-mails doivent partir : donnez SMTP_URL et MAIL_FROM, ou retirez PUBLIC_URL pour un essai local.",
  invalid_vapid_keys:
    "VAPID_KEYS n'est pas une paire de clés, comme npx web-push generate-vapid-keys --json l'écrit.",
  vapid_keys_unreadable:
    "Le fichier secrets/vapid-keys de {folder} est abîmé : remettez-le depuis une sauvegarde.",
  invalid_sms_url: "SMS_URL doit être une adresse http(s) sans compte ni mot de passe.",
  invalid_sms_token: "SMS_TOKEN ne doit contenir ni espace ni accent.",
  sms_incomplete: "SMS_URL et SMS_TOKEN vont ensemble : donnez les deux, ou aucun.",
  invalid_google: "GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET ne contiennent ni espace ni accent.",
  invalid_google_issuer: "GOOGLE_ISSUER doit être une adresse http(s) (reçu : {value}).",
  google_incomplete:
    "La connexion avec Google demande GOOGLE_CLIENT_ID et GOOGLE_CLIENT_SECRET : donnez les deux, ou aucun.",
  invalid_places_key: "GOOGLE_PLACES_KEY ne doit contenir ni espace ni accent.",
  invalid_places_url: "GOOGLE_PLACES_URL doit être une adresse http(s) (reçu : {value}).",
  places_incomplete: "GOOGLE_PLACES_URL ne sert à rien sans GOOGLE_PLACES_KEY : donnez la clé.",
  invalid_captcha_provider: "CAPTCHA_PROVIDER doit être turnstile ou hcaptcha (reçu : {value}).",
  invalid_captcha_key: "CAPTCHA_SITE_KEY et CAPTCHA_SECRET ne contiennent ni espace ni accent.",
  invalid_captcha_url: "CAPTCHA_URL doit être une adresse http(s) sans compte ni mot de passe.",
  captcha_incomplete:
    "Le captcha demande CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY et CAPTCHA_SECRET : donnez les trois, ou aucun.",
  invalid_anonymous_sign_in: "ANONYMOUS_SIGN_IN doit être 0 ou 1 (reçu : {value}).",
  invalid_payments: "PAYMENTS ne peut valoir que off (reçu : {value}).",
  invalid_stripe_key: "STRIPE_SECRET_KEY doit commencer par sk_ ou rk_, sans espace.",
  invalid_stripe_webhook: "STRIPE_WEBHOOK_SECRET doit commencer par whsec_, sans espace.",
  invalid_stripe_price: "{name} doit être un identifiant de prix, comme price_… (reçu : {value}).",
  invalid_stripe_tax:
    "STRIPE_TAX_RATE doit être un identifiant de taxe, comme txr_… (reçu : {value}).",
  invalid_stripe_url: "STRIPE_API_URL doit être une adresse http(s) sans chemin (reçu : {value}).",
  payments_incomplete:
    "Les paiements demandent {missing} en plus : donnez toutes les variables STRIPE_…, ou aucune.",
  payments_off_with_key:
    "PAYMENTS=off et STRIPE_SECRET_KEY se contredisent : retirez l'un des deux.",
  payments_missing:
    "En production, donnez les variables STRIPE_… des paiements, ou coupez-les avec PAYMENTS=off.",
  payments_refused: "Le prestataire de paiement refuse STRIPE_SECRET_KEY : vérifiez la clé.",
  payments_unknown: "{name} : le prestataire de paiement ne connaît pas {value}.",
  payments_other_price:
    "{name} : {value} ne coûte pas {expected} par échéance, hors taxes, en euros.",
  payments_other_tax:
    "STRIPE_TAX_RATE : {value} n'est pas une TVA active de {expected} % en sus du prix.",
  port_taken:
    "Le port {port} est déjà pris : arrêtez l'autre programme ou choisissez un autre PORT.",
  port_forbidden: "Le port {port} demande des droits d'administrateur : choisissez un autre PORT.",
  host_unavailable: "L'adresse {host} n'appartient pas à cette machine : corrigez HOST.",
  data_folder_unwritable:
    "Impossible d'écrire dans le dossier de données {folder} ({reason}) : vérifiez ses droits et la place libre, ou choisissez-en un autre avec TOURNAVIS_DATA.",
  data_folder_in_use:
    "Le dossier de données {folder} est déjà utilisé par un autre Tournavis : arrêtez-le ou choisissez un autre TOURNAVIS_DATA.",
  data_folder_other_version:
    "Le dossier de données {folder} vient de PostgreSQL {found}, ce Tournavis embarque PostgreSQL {expected} : avec le code d'avant, « npm run backup » ; puis, avec celui-ci et un autre TOURNAVIS_DATA, « npm run restore ».",
  database_password_lost:
    "Le mot de passe de la base manque dans {folder}/secrets : remettez-y le fichier database-password d'origine.",
  database_binaries_missing:
    "PostgreSQL embarqué introuvable pour {platform} : relancez « npm install », ou donnez un serveur par DATABASE_URL.",
  driver_unpatched:
    "Le pilote de PostgreSQL ({file}) n'a pas reçu son correctif, comme après « npm ci --ignore-scripts » : lancez « npx patch-package », puis redémarrez.",
  database_account_missing:
    "PostgreSQL ne peut pas tourner en root et le compte « postgres » n'a pas pu être créé ({reason}).",
  database_not_starting: "PostgreSQL ne démarre pas : voir {file}.",
  database_unreachable:
    "PostgreSQL ne répond pas ({reason}) : vérifiez l'adresse de DATABASE_URL ; sans elle, la place libre du disque.",
  database_disk_full: "Le disque de la base est plein : faites de la place, puis recommencez.",
  database_refused: "PostgreSQL refuse le compte ou le mot de passe de DATABASE_URL.",
  database_missing: "La base « {database} » de DATABASE_URL n'existe pas.",
  database_too_old: "PostgreSQL {version} est trop ancien : il faut la version 15 ou plus récente.",
  database_newer:
    "La base est plus récente que ce code (migration {version} inconnue) : mettez Tournavis à jour ; ou, pour revenir en arrière, « npm run restore » avec une sauvegarde d'avant (dossier backups).",
  database_before_releases:
    "La base date d'avant la première version publiée (migration {version}) : pour garder ses données, démarrez le code d'où elle vient et exportez-les (Paramètres) ; sinon, videz le dossier de données.",
  database_rights:
    "Le compte de DATABASE_URL n'a pas les droits nécessaires (créer des rôles, des schémas et des tables) : {reason}. Ce qu'il faut préparer pour lui est dans docs/deploy-server.md.",
  migration_failed:
    "La migration {version} a échoué (code {reason}) : {message}. La base est restée telle qu'elle était : démarrez le code d'avant, ou mettez celui-ci à jour.",
  migration_edited:
    "La migration {version} de ce code n'est pas celle que la base a reçue : démarrez le code d'où vient la base (« npm run backup » y garde ses données), ou remettez ce fichier tel qu'il a été publié.",
  build_refused: "{refusal}",
  build_failed: "La construction des pages a échoué : {reason}",
} as const;
