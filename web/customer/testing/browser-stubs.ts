import { vi } from "vitest";

/** A storage as browsers have it, in memory. */
class MemoryStorage {
  readonly #items = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.#items.set(key, text);
  }

  removeItem(key: string): void {
    this.#items.delete(key);
  }
}

/** Gives the code under test a browser's storage, working or forbidden (private mode). */
export function stubBrowser({ hasStorage = true, isSecure = true } = {}): void {
  const browser = hasStorage
    ? { sessionStorage: new MemoryStorage(), localStorage: new MemoryStorage() }
    : {
        get sessionStorage(): never {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
        get localStorage(): never {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      };
  vi.stubGlobal("window", Object.assign(browser, { isSecureContext: isSecure }));
  // Browsers hide `crypto.subtle` and `crypto.randomUUID` on plain HTTP.
  if (!isSecure) {
    const { crypto } = globalThis;
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  }
  vi.stubGlobal("screen", { width: 390, height: 844 });
  vi.stubGlobal("navigator", { language: "fr-FR" });
}
