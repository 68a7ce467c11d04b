import { authErrorsCopy } from "./auth-errors.copy.ts";

/** Texts about the keys of one's devices. */
export const passkeyCopy = {
  kind: "Clé d'accès",
  add: "Ajouter une clé d'accès",
  title: "Ajouter une clé d'accès",
  intro:
    "Votre téléphone, votre ordinateur ou une clé de sécurité confirme que c'est vous : empreinte, visage ou code de l'appareil. Rien à recopier, rien à voler pour un faux site.",
  name: "Cet appareil",
  make: "Créer la clé",
  give: "Confirmez avec la clé d'accès de cet appareil, ou d'un autre à portée.",
  submit: "Utiliser la clé d'accès",
  signIn: "Continuer avec une clé d'accès",
  /** By code. */
  problems: {
    ...authErrorsCopy,
    mfa_challenge_expired: "Cette demande a expiré. Réessayez.",
    mfa_ip_address_mismatch: "Cette demande n'est plus valable. Réessayez.",
    mfa_verification_failed: "Cette clé d'accès n'est pas la bonne. Essayez-en une autre.",
    mfa_webauthn_enroll_not_enabled: "Les clés d'accès ne sont pas disponibles ici.",
    mfa_webauthn_verify_not_enabled: "Les clés d'accès ne sont pas disponibles ici.",
    passkey_disabled: "Les clés d'accès ne sont pas disponibles ici.",
    too_many_passkeys: "Vous avez le nombre maximum de clés d'accès. Retirez-en une d'abord.",
    webauthn_challenge_expired: "Cette demande a expiré. Réessayez.",
    webauthn_challenge_not_found: "Cette demande n'est plus valable. Réessayez.",
    webauthn_credential_exists: "Cette clé d'accès sert déjà. Prenez-en une autre.",
    webauthn_verification_failed:
      "Cette clé d'accès ne convient pas ici. Essayez-en une autre, ou prenez un autre moyen.",
    passkey_refused: "L'appareil n'a rien confirmé. Réessayez, ou prenez un autre moyen.",
    passkey_known: "Cet appareil a déjà une clé d'accès pour votre compte.",
    passkeys_unknown:
      "Ce navigateur ne connaît pas les clés d'accès. Mettez-le à jour, ou prenez un autre moyen.",
  },
} as const;
