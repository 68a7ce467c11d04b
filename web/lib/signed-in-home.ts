/** Where a signed-in person lands when no page was asked for. */
export const SIGNED_IN_HOME = "/dashboard";
