import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { authCopy } from "./auth.copy.ts";
import { SignInForm } from "./sign-in-form.tsx";

const copy = authCopy.signIn;

/** `/auth`: the way in of merchants and their staff. */
export function SignInPage() {
  usePageTitle(copy.title);
  return (
    <div className="relative grid min-h-dvh overflow-hidden lg:grid-cols-2">
      <main className="z-10 flex flex-col px-6 py-5 sm:px-10">
        <Link to="/" aria-label={copy.home} className="self-start rounded-field">
          <Wordmark className="h-8 w-auto" />
        </Link>
        <div className="mx-auto grid w-full max-w-sm flex-1 content-start gap-8 pt-12 pb-16 lg:content-center lg:pt-0">
          <div className="grid gap-2">
            <h1 className="text-3xl">{copy.title}</h1>
            <p className="text-lg text-muted">{copy.text}</p>
          </div>
          <SignInForm />
        </div>
      </main>
      {/* On a phone the wheel looks in from below, unless the keyboard has taken its place. */}
      <WheelMark className="pointer-events-none absolute -bottom-[19rem] left-1/2 hidden w-[26rem] -translate-x-1/2 lg:hidden [@media(min-height:46rem)]:block lg:[@media(min-height:46rem)]:hidden" />
      <div aria-hidden="true" className="hidden bg-violet-soft lg:block">
        <WheelMark className="absolute top-1/2 -right-44 w-[min(46rem,56vw)] -translate-y-1/2" />
      </div>
    </div>
  );
}
