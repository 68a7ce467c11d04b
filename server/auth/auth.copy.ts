/** Member who made it; null once that account is gone. The key stays the organisation''s. */
export const authCopy = {
  smsCode: (code: string) =>
    `Tournavis : votre code est ${code}. Il est valable 10 minutes. Ne le donnez à personne.`,
};
