/** Google's letter, in the colours that its guidelines ask for. Decoration. */
export function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5">
      <path
        fill="#4285f4"
        d="M22.6 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.94a5.08 5.08 0 0 1-2.2 3.33v2.77h3.56c2.08-1.92 3.3-4.74 3.3-8.11Z"
      />
      <path
        fill="#34a853"
        d="M12 23c2.97 0 5.46-.98 7.3-2.64l-3.57-2.77a6.6 6.6 0 0 1-9.9-3.48H2.18v2.86A11 11 0 0 0 12 23Z"
      />
      <path fill="#fbbc05" d="M5.84 14.1a6.6 6.6 0 0 1 0-4.2V7.04H2.18a11 11 0 0 0 0 9.92Z" />
      <path
        fill="#ea4335"
        d="M12 5.4c1.62 0 3.06.56 4.2 1.64l3.16-3.15A11 11 0 0 0 2.18 7.04L5.84 9.9A6.56 6.56 0 0 1 12 5.4Z"
      />
    </svg>
  );
}
