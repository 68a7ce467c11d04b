import { buttonClass } from "../../../ui/button-class.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { landingCopy } from "./landing.copy.ts";

const { title, text, start, demo } = landingCopy.closing;

/** The last word: begin, or have it shown by the operator. */
export function Closing({ demoUrl }: { demoUrl: string | null }) {
  return (
    <section
      aria-labelledby="commencer"
      className="laid-out-later mx-auto w-full max-w-6xl px-4 py-16 sm:px-8 lg:py-20"
    >
      <div className="grid justify-items-center gap-6 rounded-card bg-violet-soft px-6 py-14 text-center">
        <h2 id="commencer" className="text-2xl text-balance sm:text-3xl">
          {title}
        </h2>
        <p className="text-lg text-muted">{text}</p>
        <div className="grid gap-3 sm:flex">
          <a href="/auth/signup" className={buttonClass({ size: "lg" })}>
            {start}
          </a>
          <DeploymentValue
            entry="demo_url"
            value={demoUrl}
            otherwise={
              <DeploymentValue entry="contact" value={true}>
                {() => <Demo href="/contact#demo" />}
              </DeploymentValue>
            }
          >
            {(url) => <Demo href={url} />}
          </DeploymentValue>
        </div>
      </div>
    </section>
  );
}

function Demo({ href }: { href: string }) {
  return (
    <a href={href} className={buttonClass({ variant: "secondary", size: "lg" })}>
      {demo}
    </a>
  );
}
