import { Link } from "@tanstack/react-router";
import type { NoticeLink } from "#domain/schemas/unsubscribe-request.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { unsubscribeCopy as copy } from "./unsubscribe.copy.ts";
import { useUnsubscribe } from "./unsubscribe.mutations.ts";

type UnsubscribePageProps = {
  /** Kind and token of the link; undefined where it is not whole. */
  request: NoticeLink | undefined;
};

/** `/unsubscribe` for members: asks first, since programs that look at links in mails must not end anything. */
export function UnsubscribePage({ request }: UnsubscribePageProps) {
  usePageTitle(copy.title);
  const end = useUnsubscribe();
  const settings = (
    <Link
      to="/settings"
      search={{ section: "notifications" }}
      className={buttonClass({ variant: "secondary" })}
    >
      {copy.settings}
    </Link>
  );
  if (!request) {
    return (
      <MessageScreen title={copy.badTitle} text={copy.bad}>
        {settings}
      </MessageScreen>
    );
  }
  if (end.isSuccess) {
    return (
      <MessageScreen title={copy.doneTitle} text={copy.done} takesFocus>
        {settings}
      </MessageScreen>
    );
  }
  return (
    <MessageScreen title={copy.title} text={copy.ask[request.kind]}>
      <Button busy={end.isPending} onClick={() => end.mutate(request)}>
        {copy.confirm}
      </Button>
      {settings}
      {end.isError && <Alert>{copy.failed}</Alert>}
    </MessageScreen>
  );
}
