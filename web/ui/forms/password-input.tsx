import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { passwordInputCopy } from "./password-input.copy.ts";
import { TextInput } from "./text-input.tsx";

/** A password field whose text can be shown. */
export function PasswordInput(input: Omit<ComponentProps<typeof TextInput>, "type" | "size">) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <TextInput
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
        type={isShown ? "text" : "password"}
        className="pr-13"
      />
      <button
        type="button"
        aria-label={isShown ? passwordInputCopy.hide : passwordInputCopy.show}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0.5 grid w-11 place-items-center rounded-field text-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </div>
  );
}
