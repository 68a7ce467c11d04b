import { expect, it } from "vitest";
import { AppError } from "../../lib/app-error.ts";
import { organizationFailure, storeFailure } from "./onboarding.mutations.ts";

it.each([new AppError("unknown", { status: 500 }), new TypeError("x is not a function")])(
  "a failure that nothing is known of has the specification's last sentence: %s",
  (error) => {
    expect(organizationFailure(error)).toBe("Erreur lors de la création de l'organisation");
    expect(storeFailure(error)).toBe("Erreur lors de la création du magasin");
  },
);
