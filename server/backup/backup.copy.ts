/** Texts that the terminal shows around a backup and its restoration. */
export const backupCopy = {
  help: `  npm run backup                   sauvegarde tout dans un fichier du dossier backups
  npm run backup -- fichier.zip    dans ce fichier
  npm run restore -- fichier.zip   remet une sauvegarde dans une base vide
  npm run restore -- fichier.zip --without-secrets
                                   de même sans la phrase de passe : tout revient, sauf les secrets

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
  withoutSecrets: `Les secrets de la sauvegarde sont restés fermés. {folder} garde ceux qu'il a ;
le prochain démarrage fait ceux qui manquent.
  Perdu :
  - sessions terminées : {sessions}. Chacun se reconnecte avec son mot de passe ou sa clé d'accès ;
  - seconds facteurs par application qui ne servent plus : {factors}. Un code de secours ouvre le compte ;
    sans lui : npm run operator -- factors ;
  - appareils à notifier oubliés : {devices}. Chacun se réinscrit quand son propriétaire ouvre Tournavis ;
  - les codes à six chiffres déjà envoyés, et ce qui était compté par appareil et par adresse ;
  - publishable-key et secret-key : donnez les nouvelles aux programmes qui les emploient.
  Vaut toujours : mots de passe et clés d'accès, affiches et codes des gains, clés d'API des
  organisations, liens des e-mails déjà envoyés.
  La phrase de passe prouve aussi que personne n'a changé le fichier : sans elle, rien ne le prouve.`,
  restored:
    "Restauration faite : {rows} lignes de {tables} tables, {seconds} s. Démarrez avec npm start.",
  leftOut:
    "Le projet hébergé garde les siens (sessions, seconds facteurs, fichiers) ; non repris : {tables}.",
} as const;
