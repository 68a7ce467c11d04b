/** `/verifier`: whether a printed QR code is one of the platform's, and whose. */
export const verifyCopy = {
  title: "Vérifier une affiche",
  text: "Un QR code peut être recouvert ou imité. Scannez celui de l'affiche, ou collez l'adresse où il mène.",
  address: "Adresse du QR code",
  missing: "Collez une adresse, ou scannez le QR code.",
  check: "Vérifier",
  scan: "Scanner le QR code",
  aim: "Placez le QR code de l'affiche dans le cadre.",
  type: "Coller l'adresse",
} as const;
