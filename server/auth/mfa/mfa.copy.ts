/** Texts that people read on their phones and devices. */
export const mfaCopy = {
  smsCode: (code: string) =>
    `Tournavis : votre code de connexion est ${code}. Il est valable 5 minutes. Ne le donnez à personne.`,
  /** Beside it a device may list a key for sign-in. */
  keyName: (account: string) => `${account} (deuxième étape)`,
};
