/** Notice of a form that restored the text typed before a session ended. */
export const foundInputCopy = {
  found: "Votre saisie a été retrouvée. Elle n'est pas encore enregistrée.",
  outdated:
    "Ces informations ont changé entre-temps : vérifiez avant d'enregistrer, ou effacez votre saisie pour les voir.",
  drop: "Effacer ma saisie",
  dropped: "Votre saisie est effacée.",
} as const;
