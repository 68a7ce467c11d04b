/** French of the contact page. */
export const contactCopy = {
  title: "Contact",
  description:
    "Une question, une démonstration, une demande sur vos données\u00a0: écrivez à l'équipe qui fait tourner Tournavis.",
  intro: "Écrivez-nous\u00a0: la réponse vient par e-mail, à l'adresse que vous donnez ici.",
  shop: "Un gain, un avis, un magasin\u00a0? Adressez-vous d'abord au commerce\u00a0: lui seul connaît ses lots et ses clients.",
  nobody:
    "Ce site ne reçoit pas encore de messages. Client d'un magasin\u00a0? Adressez-vous directement à lui.",
  unscripted: "Ce formulaire a besoin de JavaScript, que votre navigateur n'exécute pas.",
  writeTo: (address: string) => `Vous pouvez aussi écrire à ${address}.`,
  fields: {
    topic: "À quel sujet",
    name: "Votre nom",
    email: "Votre adresse e-mail",
    message: "Votre message",
    website: "Laissez ce champ vide",
  },
  hints: { message: "De 10 à 4\u00a0000 caractères." },
  errors: {
    name: "Dites-nous votre nom.",
    email: "Cette adresse n'est pas complète, par exemple nom@exemple.fr.",
    message: "Écrivez de 10 à 4\u00a0000 caractères.",
  },
  send: "Envoyer",
  sending: "Envoi…",
  sent: "Votre message est envoyé. La réponse viendra par e-mail.",
  sentTitle: "Merci",
  another: "Écrire un autre message",
  failures: {
    network: "Pas de connexion\u00a0: rien n'est parti, et votre message reste ici. Réessayez.",
    later: (minutes: number) =>
      `Vous avez envoyé beaucoup de messages. Réessayez dans ${minutes === 1 ? "une minute" : `${minutes}\u00a0minutes`}\u00a0: votre message reste ici.`,
    other: "Votre message n'a pas été envoyé. Il reste ici\u00a0: réessayez dans un instant.",
  },
  data: {
    text: "Ce que vous écrivez sert à vous répondre, et n'est pas gardé ici une fois envoyé.",
    link: "Vos données et vos droits",
  },
} as const;
