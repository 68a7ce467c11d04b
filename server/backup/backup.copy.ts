/** Texts that the terminal shows around a backup and its restoration. */
export const backupCopy = {
  help: `  npm run backup                   sauvegarde tout dans un fichier du dossier backups
  npm run backup -- fichier.zip    dans ce fichier
  npm run restore -- fichier.zip   remet une sauvegarde dans une base vide

  La phrase de passe qui protège les secrets se tape au terminal, ou se donne par BACKUP_PASSPHRASE.
  TOURNAVIS_DATA et DATABASE_URL désignent l'installation, comme pour npm start.`,
  passphraseNew: "Phrase de passe de la sauvegarde (12 caractères au moins) : ",
  passphraseAgain: "La même, encore une fois : ",
  passphraseAsked: "Phrase de passe de la sauvegarde : ",
  writing: "Sauvegarde",
  verifying: "Vérification",
  restoring: "Restauration",
  written: "Sauvegarde faite : {file} ({size}, {rows} lignes de {tables} tables, {seconds} s).",
  noSecrets:
    "Sans les secrets : {folder} n'en contient pas. Les sessions et les seconds facteurs ne se liront pas ailleurs.",
  keepPassphrase: "Gardez la phrase de passe : sans elle, les secrets sont perdus.",
  restored:
    "Restauration faite : {rows} lignes de {tables} tables, {seconds} s. Démarrez avec npm start.",
  leftOut:
    "Le projet hébergé garde les siens (sessions, seconds facteurs, fichiers) ; non repris : {tables}.",
} as const;
