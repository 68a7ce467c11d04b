/** Texts that the operator's commands print in the terminal. */
export const operatorCopy = {
  help: `  npm run operator -- find <adresse | nom | identifiant>   comptes, organisations, clients
  npm run operator -- suspend <organisation>               ferme ses pages, données en lecture seule
  npm run operator -- resume <organisation>                lève la suspension
  npm run operator -- sessions <compte>                    déconnecte partout
  npm run operator -- factors <compte> --check "…"         retire seconds facteurs et clés d'accès ; dites comment
                                                           l'identité a été vérifiée (10 caractères au moins)
  npm run operator -- messages                             envois en attente ou abandonnés
  npm run operator -- messages <envoi> [--who]             où en est un envoi ; --who dit aussi à qui
  npm run operator -- messages retry                       reprend tout de suite ce qui attend
  npm run operator -- messages --again <envoi | all>       renvoie ce qui a été abandonné (7 jours)
  npm run operator -- jobs [tâche]                         dernier passage de chacune, ou en lance une
  npm run operator -- export <compte | client>             ce qui est gardé d'une personne (JSON ; --file x.json)
  npm run operator -- export <organisation> --file x.zip   toutes les données d'une organisation
  npm run operator -- erase <compte | client> --yes        l'efface, définitivement
  npm run operator -- erase <organisation> --yes           la ferme, et l'efface dans 30 jours
  npm run operator -- trail                                les 50 dernières commandes

  Un compte ou une organisation se nomme par son identifiant, son adresse e-mail ou son adresse publique ;
  un client par son identifiant, que find donne. Chaque commande laisse une trace, sans nom ni adresse.
  TOURNAVIS_DATA et DATABASE_URL désignent l'installation, comme pour npm start.`,
  valueOf: "ce que {flag} doit dire",
  account:
    "compte        {id}  {name}{role}  seconds facteurs : {factors}  sessions : {sessions}{state}",
  organization: "organisation  {id}  {slug}  « {name} »  plan {plan} ({status}){state}",
  customer: "client        {id}  chez {slug}",
  role: "{role} de {slug}",
  noRole: "sans organisation",
  waiting: "  adresse non confirmée",
  banned: "  banni",
  suspended: "  SUSPENDUE depuis le {day}",
  ending: "  sera effacée le {day}",
  nothing: "Rien ne correspond.",
  suspendDone: "Suspendue : ses pages sont fermées et son espace est en lecture seule.",
  resumeDone: "La suspension est levée.",
  already: "C'était déjà le cas : rien n'a changé.",
  sessionsDone: "Sessions terminées : {count}.",
  factorsDone:
    "Seconds facteurs retirés : {count}, clés d'accès : {keys}. Les sessions sont terminées et la personne est prévenue par e-mail.",
  noFactor: "Ce compte n'a ni second facteur ni clé d'accès : rien n'a changé.",
  message: "{state}  {channel}  {template}  {count} (dernière erreur : {error})",
  states: {
    queued: "en attente ",
    failed: "abandonné  ",
    sent: "parti",
    captured: "gardé dans la boîte locale",
  } as Readonly<Record<string, string>>,
  givenUp: "  {id}  {template}  abandonné le {at} après {attempts} essais ({error}) : {verdict}",
  given: {
    kept: "npm run operator -- messages --again {id} le renvoie, jusqu'au {day}",
    expired: "son lien ou son code a expiré ; la personne peut en redemander un",
    emptied: "son contenu n'est plus gardé",
  },
  more: "  … et {count} autres.",
  one: "{id}  {state}  {channel}  {template}  écrit le {at}  essais : {attempts}  dernière erreur : {error}{who}",
  who: "  à {recipient}",
  again: {
    queued: "L'envoi {id} est de nouveau en attente. Le serveur qui tourne s'en charge.",
    expired:
      "L'envoi {id} n'est pas renvoyé : le lien ou le code qu'il contient a expiré. La personne peut en redemander un.",
    emptied: "L'envoi {id} n'est pas renvoyé : son contenu n'est plus gardé.",
    prize_over:
      "L'envoi {id} n'est pas renvoyé : le gain a été utilisé, effacé, retenu, annulé ou rendu valable, ou a expiré.",
    not_given_up: "L'envoi {id} n'a pas été abandonné : rien n'a changé.",
  },
  againAll:
    "Envois remis en attente : {queued}. Laissés : {left} (lien ou gain expiré, contenu plus gardé).",
  noMessage: "Aucun envoi n'attend, aucun n'a été abandonné.",
  retried: "Envois repris : {count}. Le serveur qui tourne s'en charge.",
  job: "{name}  dernier passage : {last}  lignes : {rows}  échecs de suite : {failures}{error}",
  jobError: " ({error})",
  never: "jamais",
  jobDone: "{name} : {rows} lignes.",
  jobFailed: "{name} a échoué ({error}) : le journal de la base dit pourquoi.",
  erasedAccount: "Le compte est effacé.",
  erasedCustomer: "Le client est effacé ; ses participations restent, sans nom.",
  endingDone:
    "L'organisation est fermée au public et sera effacée le {day}. Ses propriétaires et administrateurs sont prévenus par e-mail ; d'ici là, un propriétaire peut annuler.",
  exportedTo:
    "Toutes les données de l'organisation sont dans {file}, que votre compte seul peut lire.",
  exportedPerson:
    "Ce qui est gardé de cette personne est dans {file}, que votre compte seul peut lire.",
  event: "{at}  {actor}  {action}  {subject}  {note}",
  actors: { command: "commande", key: "clé     " } as Readonly<Record<string, string>>,
} as const;

/** Refusals of these commands. */
export const operatorRefusals = {
  operator_no_secret_key:
    "Le dossier {folder} ne donne pas la clé secrète ({reason}) : lancez la commande sur la machine du serveur, avec son compte, et le même TOURNAVIS_DATA.",
  operator_unknown_command: "Commande inconnue : {command}. Essayez npm run operator -- --help.",
  operator_missing: "Il manque {what}. Essayez npm run operator -- --help.",
  operator_nobody: "Aucun résultat : cherchez l'identifiant avec npm run operator -- find.",
  operator_check_short:
    "Dites comment l'identité a été vérifiée : --check \"…\", 10 à 500 caractères. Rien n'a changé.",
  operator_not_confirmed: "Effacer est définitif : ajoutez --yes. Rien n'a changé.",
  operator_last_owner:
    "Ce compte est le dernier propriétaire d'une organisation : transmettez ou supprimez-la d'abord. Rien n'a changé.",
  operator_no_right:
    "Le compte de DATABASE_URL n'a pas le droit de faire cela : donnez celui qui administre la base. Rien n'a changé.",
  operator_payments_running:
    "Un abonnement serait encore prélevé : résiliez-le d'abord chez le prestataire de paiement. Rien n'a changé.",
  operator_file_unwritable:
    "Le fichier {file} ne s'écrit pas ({reason}) : donnez-en un qui n'existe pas encore.",
  operator_unknown_message:
    "Aucun envoi ne porte ce numéro : npm run operator -- messages les montre.",
  operator_unknown_job: "Aucune tâche ne s'appelle {name} : npm run operator -- jobs les montre.",
} as const;
