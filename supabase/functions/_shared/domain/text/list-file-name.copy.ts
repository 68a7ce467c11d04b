/** Beginnings of the names of exported files, by the type of the export's request. */
export const listFileCopy = {
  customers: "clients",
  redemptions: "codes",
  reviews: "avis",
  campaigns: "campagnes",
} as const;
