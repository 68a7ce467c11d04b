/** Whether this browser can make and use passkeys: only on pages that nobody can change on the way. */
export function knowsPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential
  );
}
