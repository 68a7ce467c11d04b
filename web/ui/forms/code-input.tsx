import type { ComponentProps } from "react";
import { TextInput } from "./text-input.tsx";

/** One field for a one-time code of six digits: the phone's keypad, and its codes offered by themselves. */
export function CodeInput(input: Omit<ComponentProps<typeof TextInput>, "type" | "size">) {
  return (
    <TextInput
      inputMode="numeric"
      pattern="[0-9 ]*"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={12}
      {...input}
      size="code"
    />
  );
}
