import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { NoticeLink } from "#domain/schemas/unsubscribe-request.ts";
import { useApp } from "../../lib/app-context.ts";
import { functionError } from "../../lib/app-error.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { unsubscribeCopy as copy } from "./unsubscribe.copy.ts";

type UnsubscribePageProps = {
  /** Kind and token of the link; undefined where it is not whole. */
  request: NoticeLink | undefined;
};

/** `/unsubscribe` for members: asks first, since programs that look at links in mails must not end anything. */
export function UnsubscribePage({ request }: UnsubscribePageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const end = useMutation({
    mutationFn: async (query: string) => {
      const { error } = await supabase.functions.invoke(`unsubscribe?${query}`, { method: "POST" });
      if (error) throw await functionError(error);
    },
  });
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
      <Button
        busy={end.isPending}
        onClick={() => end.mutate(new URLSearchParams(request).toString())}
      >
        {copy.confirm}
      </Button>
      {settings}
      {end.isError && <Alert>{copy.failed}</Alert>}
    </MessageScreen>
  );
}
