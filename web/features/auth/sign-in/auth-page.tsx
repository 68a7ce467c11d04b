import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { lazyRouteComponent, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useApp } from "../../../lib/app-context.ts";
import { type ArrivalProblem, OTHER_BROWSER } from "../../../lib/auth/arrival-problem.ts";
import { needsSecondFactor } from "../../../lib/auth/auth.ts";
import { emailDraft } from "../../../lib/auth/email-draft.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { typedEarly, useTakeOver } from "../../../lib/input/early-input.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { authCopy } from "../auth.copy.ts";
import { type Credentials, credentialsSchemas, type Method, type Mode } from "../auth.schema.ts";
import { AuthLayout } from "../auth-layout.tsx";
import { AwaitedNotice } from "../confirmation/awaited-notice.tsx";
import { ConfirmPage } from "../confirmation/confirm-page.tsx";
import { takeLinkProof } from "../confirmation/link-proof.ts";
import { SuccessPage, type Welcome } from "../confirmation/success-page.tsx";
import { CredentialsForm } from "./credentials-form.tsx";

/** Step after the password; loaded only for users with a second factor. */
const SecondFactorPage = lazyRouteComponent(
  () => import("../second-factor/second-factor-page.tsx"),
  "SecondFactorPage",
);

type AuthPageProps = {
  mode: Mode;
  /** Target after sign-in: a path of this site. */
  target: string;
  /** The link of the confirmation mail led here. */
  isConfirmed: boolean;
};

/** Start of the address of an invitation to a team. */
const INVITATION = "/invitation?";

const TABS = [
  { name: "signin", label: authCopy.tabs.signin },
  { name: "signup", label: authCopy.tabs.signup },
] as const;

/** `/auth`: the way in of merchants and their staff (specification, sections 2.8 and 4.1). */
export function AuthPage({ mode, target, isConfirmed }: AuthPageProps) {
  const { auth } = useApp();
  const session = useSession();
  // Problem of a link that a signed-in user followed.
  const [problem] = useState(() => session && auth.arrivalProblem());
  const [welcome, setWelcome] = useState<Welcome>(isConfirmed ? "confirmed" : "signedIn");
  const [isUnproven, setIsUnproven] = useState(() => isConfirmed && takeLinkProof(auth));
  if (isUnproven) return <ConfirmPage onDone={() => setIsUnproven(false)} />;
  if (session && needsSecondFactor(session)) {
    return (
      <Suspense>
        <SecondFactorPage />
      </Suspense>
    );
  }
  if (session && problem && !isConfirmedElsewhere(problem, isConfirmed)) {
    return <StillSignedIn problem={problem} target={target} />;
  }
  if (session) return <SuccessPage welcome={welcome} target={target} />;
  return (
    <Visitor
      mode={mode}
      target={target}
      isConfirmed={isConfirmed}
      onSignUp={() => setWelcome("signedUp")}
    />
  );
}

/** The confirmation was taken; only the session that comes of it belongs to the browser that asked. */
function isConfirmedElsewhere(problem: ArrivalProblem, isConfirmed: boolean): boolean {
  return isConfirmed && problem.code === OTHER_BROWSER;
}

/** For visitors who are not signed in: a form, or what to do with the mail or message that is on its way. */
function Visitor(props: AuthPageProps & { onSignUp: () => void }) {
  const { mode, target, isConfirmed, onSignUp } = props;
  const { config } = useApp();
  const navigate = useNavigate();
  const [method, setMethod] = useState<Method>("email");
  const [isAwaited, setIsAwaited] = useState(false);
  const way = config.phone ? method : "email";
  useTakeOver();
  const form = useForm<Credentials>({
    resolver: standardSchemaResolver(credentialsSchemas[mode][way]),
    defaultValues: {
      fullName: typedEarly("fullName"),
      email: typedEarly("email") || emailDraft.read(),
      phone: typedEarly("phone"),
      password: typedEarly("password"),
    },
    reValidateMode: "onSubmit",
  });
  const words = mode === "signup" ? authCopy.signUp : authCopy.signIn;
  usePageTitle(isAwaited ? authCopy.verify.title : words.title);
  // The page that was painted at build knows no target.
  const [isInvited, setIsInvited] = useState(false);
  useEffect(() => setIsInvited(target.startsWith(INVITATION)), [target]);

  // Painted at build, too, where there is no address yet; nothing of it shows.
  const origin = globalThis.location?.origin ?? "";
  const confirmUrl = `${origin}/auth?${new URLSearchParams({ confirmed: "true", redirect: target })}`;
  if (isAwaited) {
    return (
      <AwaitedNotice
        method={way}
        values={form.getValues()}
        confirmUrl={confirmUrl}
        onBack={(email = form.getValues("email")) => {
          form.setValue("email", email);
          setIsAwaited(false);
        }}
      />
    );
  }

  const show = (next: Mode) => {
    form.clearErrors();
    void navigate({
      to: "/auth",
      search: (before) => ({ ...before, mode: next === "signup" ? next : undefined }),
      replace: true,
    });
  };
  return (
    <AuthLayout title={words.title} text={isInvited ? authCopy.invited : words.text}>
      <Tabs label={authCopy.tabs.label} tabs={TABS} current={mode} onChange={show}>
        <CredentialsForm
          key={mode}
          mode={mode}
          method={way}
          form={form}
          target={target}
          confirmUrl={confirmUrl}
          isConfirmed={isConfirmed}
          onMethodChange={(next) => {
            form.clearErrors();
            setMethod(next);
          }}
          onSignUp={onSignUp}
          onAwaited={() => setIsAwaited(true)}
        />
      </Tabs>
    </AuthLayout>
  );
}

type StillSignedInProps = { problem: ArrivalProblem; target: string };

/** For signed-in users who followed a link that did not work: their session is unchanged, and the page says so. */
function StillSignedIn({ problem, target }: StillSignedInProps) {
  usePageTitle(authCopy.stillSignedIn.title);
  const { auth } = useApp();
  const navigate = useNavigate();
  const words: Readonly<Record<string, string>> = authCopy.stillSignedIn.codes;
  return (
    <AuthLayout title={authCopy.stillSignedIn.title}>
      <Alert>
        {auth.googleIntent()
          ? authCopy.google.failed
          : (words[problem.code] ?? authCopy.stillSignedIn.failed)}
      </Alert>
      <Button
        size="lg"
        onClick={() => {
          auth.forgetArrival();
          void navigate({ href: target, replace: true });
        }}
      >
        {authCopy.stillSignedIn.next}
      </Button>
    </AuthLayout>
  );
}
