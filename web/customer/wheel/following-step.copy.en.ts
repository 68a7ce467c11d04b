import type { Wording } from "#domain/text/wording.ts";
import type { followingStepCopy as french } from "./following-step.copy.ts";

/** English of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Wheel sound",
  testAgain: "Try again",
  contact: {
    title: "How can we reach you?",
    intro: "An email address or a phone number is enough. It is used to find your prize again.",
    submit: "Continue",
  },
  win: {
    title: (firstName, prize) =>
      `Well done${firstName === "" ? "" : ` ${firstName}`}, ${prize.replace(/[\s!]+$/, "")}!`,
    keep: "Keep my prize",
    kept: "Kept on this phone: come back to this page to see it again.",
    notKept: "Write this code down or take a screenshot: this browser keeps nothing.",
    credited: "Your points have been added. There is no code to show.",
  },
  loss: {
    title: "Not this time",
    thanks: "Thank you for playing.",
  },
} satisfies Wording<typeof french>;
