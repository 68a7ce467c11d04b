import { AppError, errorMessage, NETWORK } from "./app-error.ts";

/** The sentence of a screen that could not be loaded, with what to do about it where that is known. */
export function loadFailure(error: unknown, sentence: string): string {
  const isOffline = error instanceof AppError && error.code === NETWORK;
  return isOffline ? `${sentence}. ${errorMessage(error)}` : sentence;
}
