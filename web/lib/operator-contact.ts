/** Address of the operator, for refusals that only they can lift: known once the configuration is loaded, null without one. */
export const operatorContact: { email: string | null } = { email: null };
