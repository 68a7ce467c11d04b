import { Link } from "@tanstack/react-router";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { siteCopy } from "./site.copy.ts";

const copy = siteCopy.home;

/** The home page of visitors: what this is, and the ways in. */
export function HomePage() {
  usePageTitle();
  const { config } = useApp();
  return (
    <div className="relative flex min-h-dvh flex-col overflow-hidden">
      <header className="px-6 py-5 sm:px-10">
        <Wordmark className="h-8 w-auto" />
      </header>
      <main className="relative z-10 flex flex-1 items-start px-6 pt-10 pb-72 sm:px-10 lg:items-center lg:pt-0 lg:pb-24">
        <div className="max-w-xl lg:ml-[6vw]">
          <h1 className="text-3xl sm:text-4xl">{copy.title}</h1>
          <p className="mt-5 max-w-md text-lg text-pretty text-muted">{copy.text}</p>
          <div className="mt-8 grid gap-3 sm:flex">
            <Link to="/auth" className={buttonClass({ size: "lg" })}>
              {copy.signIn}
            </Link>
            {config.demo_slug && (
              <a
                href={`/c/${encodeURIComponent(config.demo_slug)}/review`}
                className={buttonClass({ variant: "secondary", size: "lg" })}
              >
                {copy.demo}
              </a>
            )}
          </div>
        </div>
      </main>
      <WheelMark className="pointer-events-none absolute -bottom-40 left-1/2 w-[26rem] -translate-x-1/2 lg:top-1/2 lg:bottom-auto lg:left-auto lg:-right-40 lg:w-[min(46rem,58vw)] lg:translate-x-0 lg:-translate-y-1/2" />
    </div>
  );
}
