/** Default page after sign-in. */
export const SIGNED_IN_HOME = "/dashboard";
