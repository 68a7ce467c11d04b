/** What people read on their phones. */
export const mfaCopy = {
  smsCode: (code: string) =>
    `Tournavis : votre code de connexion est ${code}. Il est valable 5 minutes. Ne le donnez à personne.`,
};
