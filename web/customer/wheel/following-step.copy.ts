/** French of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Son de la roue",
  testAgain: "Tester à nouveau",
  contact: {
    title: "Où vous joindre\u00a0?",
    intro: "Un e-mail ou un téléphone suffit. Il sert à retrouver votre gain.",
    submit: "Continuer",
  },
  win: {
    title: (firstName: string, prize: string) =>
      `Bravo${firstName === "" ? "" : ` ${firstName}`}, ${prize.replace(/[\s!]+$/, "")}\u00a0!`,
    keep: "Garder mon gain",
    kept: "Gardé sur ce téléphone\u00a0: revenez sur cette page pour le revoir.",
    notKept: "Notez ce code ou faites une capture d'écran\u00a0: ce navigateur ne garde rien.",
    credited: "Vos points sont crédités. Il n'y a pas de code à montrer.",
  },
  loss: {
    title: "Pas cette fois",
    thanks: "Merci d'avoir joué.",
  },
} as const;
