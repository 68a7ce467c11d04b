import type { ReactNode } from "react";
import { Wordmark } from "../../ui/wordmark.tsx";
import { authCopy } from "./auth.copy.ts";
import { AuthPicture } from "./auth-picture.tsx";

type AuthLayoutProps = {
  title: string;
  text?: ReactNode;
  children: ReactNode;
};

/** The ways in: what to do at the left, what it is for at the right; on a phone, one column. */
export function AuthLayout({ title, text, children }: AuthLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,1fr)_1.15fr]">
      <main className="flex min-w-0 flex-col px-5 py-5 min-[380px]:px-6 sm:px-10">
        <a href="/" aria-label={authCopy.home} className="self-start rounded-field">
          <Wordmark className="h-8 w-auto" />
        </a>
        <div className="mx-auto grid w-full max-w-sm flex-1 content-start gap-7 pt-10 pb-12 sm:pt-16 lg:content-center lg:pt-8">
          <div className="grid gap-2">
            <h1 className="text-2xl min-[380px]:text-3xl">{title}</h1>
            {text && <div className="text-lg text-pretty text-muted">{text}</div>}
          </div>
          {children}
        </div>
      </main>
      <AuthPicture />
    </div>
  );
}
