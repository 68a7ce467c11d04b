/** French between a day and a time. */
export const datesCopy = {
  dayAndTime: (day: string, time: string) => `${day} à ${time}`,
} as const;
