/** Texts of the proof that it is oneself, before what cannot be taken back. */
export const proofCopy = {
  password: "Votre mot de passe",
  passwordRequired: "Tapez votre mot de passe.",
  passwordWrong: "Ce n'est pas votre mot de passe.",
  sendMail: (email: string) => `Recevoir un code à ${email}`,
  sendSms: (ending: string) => `Recevoir un code au numéro qui finit par ${ending}`,
  sent: "Un code est en route. Tapez-le ici, sans suivre le lien du message.",
  resendIn: (seconds: number) => `Renvoyer le code (${seconds} s)`,
  resend: "Renvoyer le code",
  code: "Code reçu",
  codeRequired: "Tapez le code reçu.",
  otherAccount: "Cette clé d'accès ouvre un autre compte. Choisissez celle du compte à supprimer.",
  byPassword: "Utiliser mon mot de passe",
  byCode: "Recevoir plutôt un code",
  byPasskey: "Utiliser une clé d'accès",
} as const;
