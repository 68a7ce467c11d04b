import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { consentLink } from "#domain/schemas/consent-link.ts";
import type { Wording } from "#domain/text/wording.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, functionError } from "../../lib/app-error.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { offersCopy as german } from "./offers.copy.de.ts";
import { offersCopy as english } from "./offers.copy.en.ts";
import { offersCopy as spanish } from "./offers.copy.es.ts";
import { offersCopy as italian } from "./offers.copy.it.ts";
import { offersCopy as dutch } from "./offers.copy.nl.ts";
import { offersCopy as french } from "./offers.copy.ts";
import { useUnsubscribe } from "./unsubscribe.mutations.ts";

const WORDS: ReadonlyMap<string, Wording<typeof french>> = new Map([
  ["de", german],
  ["en", english],
  ["es", spanish],
  ["fr", french],
  ["it", italian],
  ["nl", dutch],
]);

/** The link is none of ours, however it came to be so. */
const isUnknown = (error: unknown) =>
  error instanceof AppError && ["link_unknown", "invalid_request"].includes(error.code);

type OffersPageProps = {
  /** From the link; undefined where it is not whole. */
  token: string | undefined;
  /** Of the customer's mail; French stands in for another. */
  lang: string | undefined;
};

/**
 * `/unsubscribe?kind=offers`: a customer withdraws their consent to a merchant's offers. It names the merchant alone, and
 * says the same to somebody who has withdrawn it before, or was erased.
 */
export function OffersPage({ token, lang = "" }: OffersPageProps) {
  const language = WORDS.has(lang) ? lang : "fr";
  const copy = WORDS.get(language) ?? french;
  const { supabase } = useApp();
  useEffect(() => {
    document.documentElement.lang = language;
    // Customers know the merchant, and may be kept from the product's name.
    document.title = copy.title;
  }, [language, copy]);
  const link = useQuery({
    queryKey: ["consent", token],
    enabled: token !== undefined,
    // Without the name there are other words: nobody waits for it.
    retry: false,
    queryFn: async () => {
      const { data, error } = await supabase.functions.invoke("consent", { body: { token } });
      if (error) throw await functionError(error);
      return consentLink.parse(data);
    },
  });
  const withdrawal = useUnsubscribe();

  if (token === undefined || isUnknown(link.error) || isUnknown(withdrawal.error)) {
    return <MessageScreen title={copy.badTitle} text={copy.bad} />;
  }
  if (link.isPending) return <LoadingScreen text={copy.loading} />;
  if (link.data?.organizer === null) {
    return <MessageScreen title={copy.doneTitle} text={copy.gone} />;
  }
  const organizer = link.data?.organizer ?? copy.shop;
  if (withdrawal.isSuccess) {
    return <MessageScreen title={copy.doneTitle} text={copy.done(organizer)} takesFocus />;
  }
  return (
    <MessageScreen title={copy.title} text={copy.ask(organizer)}>
      <Button
        busy={withdrawal.isPending}
        onClick={() => withdrawal.mutate({ token, kind: "offers" })}
      >
        {copy.confirm}
      </Button>
      {withdrawal.isError && <Alert>{copy.failed}</Alert>}
    </MessageScreen>
  );
}
