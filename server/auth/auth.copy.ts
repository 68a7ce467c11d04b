/** Texts that people read on their phones. */
export const authCopy = {
  smsCode: (code: string) =>
    `Tournavis : votre code est ${code}. Il est valable 10 minutes. Ne le donnez à personne.`,
};
