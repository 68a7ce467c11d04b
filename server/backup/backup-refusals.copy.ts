/**
 * Texts that the terminal shows when a backup cannot be made or restored: one line for each code.
 */
export const backupRefusals = {
  invalid_backup_at: "BACKUP_AT doit être une heure (UTC), comme 03:30, ou off (reçu : {value}).",
  invalid_backup_keep_days:
    "BACKUP_KEEP_DAYS doit être un nombre de jours de 1 à 3650 (reçu : {value}).",
  invalid_backup_passphrase: "BACKUP_PASSPHRASE doit compter au moins 12 caractères.",
  backup_passphrase_missing:
    "Il faut une phrase de passe pour les secrets : donnez-la dans la variable BACKUP_PASSPHRASE.",
  restore_passphrase_missing:
    "Il faut la phrase de passe de la sauvegarde : donnez-la dans la variable BACKUP_PASSPHRASE ; si elle est perdue, --without-secrets rend tout le reste. Rien n'a été modifié.",
  backup_passphrase_short: "La phrase de passe doit compter au moins 12 caractères.",
  backup_passphrase_differs: "Les deux phrases de passe diffèrent : recommencez.",
  backup_passphrase_wrong:
    "Cette phrase de passe n'ouvre pas la sauvegarde : donnez celle d'alors (BACKUP_PASSPHRASE) ; si elle est perdue, --without-secrets rend tout le reste. Rien n'a été modifié.",
  backup_exists:
    "Le fichier {file} existe déjà et reste tel quel : donnez un autre nom à la sauvegarde.",
  backup_unwritable:
    "Impossible d'écrire la sauvegarde {file} ({reason}) : vérifiez le dossier, ses droits et la place libre.",
  backup_disk_full:
    "Plus assez de place pour la sauvegarde {file} : faites de la place, ou donnez-lui un autre disque.",
  backup_nothing_there: "Aucune base de Tournavis ici : vérifiez TOURNAVIS_DATA ou DATABASE_URL.",
  backup_secrets_unreadable:
    "Les secrets de {folder} ne se lisent pas ({reason}) : lancez la commande avec le compte du serveur.",
  backup_unreadable:
    "La sauvegarde {file} ne se lit pas ({reason}) : vérifiez le chemin et les droits.",
  backup_damaged:
    "La sauvegarde {file} est incomplète ou abîmée : prenez-en une autre copie. Rien n'a été modifié.",
  backup_newer:
    "La sauvegarde vient de Tournavis {version}, ce code est en {current} : installez la version {version} ou une plus récente. Rien n'a été modifié.",
  backup_schema_unknown:
    "Ce code ne connaît pas le schéma de la sauvegarde (migration {version}, Tournavis {product}) : restaurez-la avec le code qui l'a faite. Rien n'a été modifié.",
  backup_schema_changed:
    "Les migrations de ce code ne sont pas celles de la sauvegarde (Tournavis {product}) : restaurez-la avec le code qui l'a faite. Rien n'a été modifié.",
  restore_file_missing:
    "Quelle sauvegarde ? Donnez son fichier : npm run restore -- chemin/de/la/sauvegarde.zip",
  restore_in_use:
    "Un Tournavis travaille sur cette base : arrêtez-le, puis recommencez. Rien n'a été modifié.",
  restore_not_empty:
    "La base n'est pas vide (table {table}) : donnez une base vide, ou un autre TOURNAVIS_DATA. Rien n'a été modifié.",
  restore_other_schema:
    "La base a déjà un autre schéma que la sauvegarde : donnez une base vide. Rien n'a été modifié.",
  restore_secrets_differ:
    "Le dossier {folder}/secrets contient d'autres secrets que la sauvegarde ({name}) : déplacez-le, ou donnez un autre TOURNAVIS_DATA. Rien n'a été modifié.",
  restore_failed:
    "La table {table} de la sauvegarde n'a pas pu être chargée (code {reason}) : la base est restée vide.",
} as const;
