/**
 * The address typed last, so that « Mot de passe oublié ? » and the way back do not ask for it
 * again. In memory only: it goes with the tab.
 */
let draft = "";

export const emailDraft = {
  read: () => draft,
  keep(email: string): void {
    draft = email;
  },
};
