/** Replacement for a part of `@supabase/auth-js`: every browser that runs the application has `globalThis`. */
export function polyfillGlobalThis(): void {}
