const LEFT_OUT = "Realtime is left out of the application: see vite.config.ts.";

/**
 * Stands in for `@supabase/realtime-js` in the application's bundle: no page subscribes to anything,
 * and its socket client weighs as much as a page. The platform's client makes one and hands it every
 * token; whoever asks it for more is told where to bring it back.
 */
export class RealtimeClient {
  setAuth(): void {}

  channel(): never {
    throw new Error(LEFT_OUT);
  }

  getChannels(): never[] {
    return [];
  }

  removeChannel(): never {
    throw new Error(LEFT_OUT);
  }

  async removeAllChannels(): Promise<never[]> {
    return [];
  }
}
