import { AuthApiError, AuthRetryableFetchError } from "@supabase/auth-js";

type Settings = { url: string; headers: Record<string, string>; fetch: typeof fetch };

/**
 * Replacement for the part of `@supabase/auth-js` that administers accounts, which needs a secret key that no browser
 * has. The client goes through it for one thing that everybody does: signing out.
 */
export default class Administration {
  private readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** Ends this session, the others, or all of them; the client itself overlooks that a session is gone already. */
  async signOut(token: string, scope = "global") {
    const { url, headers } = this.settings;
    try {
      const answer = await this.settings.fetch(`${url}/logout?scope=${scope}`, {
        method: "POST",
        // Header in the client's spelling: the user's token replaces the client's own header, which has no user.
        headers: { ...headers, Authorization: `Bearer ${token}` },
      });
      if (answer.ok) return { data: null, error: null };
      return { data: null, error: new AuthApiError(answer.statusText, answer.status, undefined) };
    } catch {
      return { data: null, error: new AuthRetryableFetchError("No answer", 0) };
    }
  }
}
