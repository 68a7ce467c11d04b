/** Signing in (specification, sections 2.1, 2.8, 5 and 8). */
export const authCopy = {
  checking: "Vérification de l'authentification...",
  signIn: {
    title: "Connexion",
    text: "Retrouvez votre caisse et vos campagnes.",
    email: "Adresse e-mail",
    password: "Mot de passe",
    submit: "Se connecter",
    requiredFields: "Veuillez remplir tous les champs requis",
    home: "Accueil de Tournavis",
  },
  /** By error code of the authentication service. */
  errors: {
    invalid_credentials: "E-mail ou mot de passe incorrect.",
    email_not_confirmed: "Confirmez d'abord votre adresse : ouvrez le lien reçu par e-mail.",
    user_banned: "Ce compte est suspendu. Contactez votre responsable.",
  },
} as const;
