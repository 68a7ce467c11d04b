import { Gift } from "lucide-react";
import { useRef, useState } from "react";
import type { GivableReward, ReviewDetail } from "#domain/schemas/reviews.ts";
import { newId } from "#domain/text/new-id.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { conflictWords, refusalWords } from "../panel/conflict-words.ts";
import { reviewPanelCopy } from "../panel/review-panel.copy.ts";
import { useGiveCode } from "../reviews.mutations.ts";
import { GestureField } from "./gesture-field.tsx";

const copy = reviewPanelCopy.gesture;

type GiveCodeProps = {
  review: ReviewDetail;
  rewards: readonly GivableReward[];
  onGiven: () => void;
};

/** Creates a code for a customer whom no mail reaches: it is shown, to be passed on. */
export function GiveCode({ review, rewards, onGiven }: GiveCodeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const give = useGiveCode(review.id);
  const request = useRef({ rewardId: "", id: "" });
  const rewardId = rewards.some(({ id }) => id === chosen) ? chosen : "";
  if (!isOpen) {
    return (
      <Button variant="secondary" className="justify-self-start" onClick={() => setIsOpen(true)}>
        <Gift aria-hidden="true" className="size-5" />
        {copy.open}
      </Button>
    );
  }
  const answer = give.data;
  return (
    <form
      noValidate
      className="grid gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        setIsAsked(true);
        if (give.isPending || rewardId === "") return;
        // The same reward again is the same request: a lost answer gives nothing twice.
        if (request.current.rewardId !== rewardId) {
          request.current = { rewardId, id: newId() };
        }
        give.mutate(
          { requestId: request.current.id, version: review.version, rewardId },
          { onSuccess: ({ outcome }) => outcome === "saved" && onGiven() },
        );
      }}
    >
      <GestureField
        label={copy.reward}
        none={copy.required}
        rewards={rewards}
        value={rewardId}
        onChange={setChosen}
        hint={copy.byHand}
        error={isAsked && rewardId === "" ? copy.required : undefined}
      />
      {answer?.outcome === "conflict" && <Alert>{conflictWords(answer)}</Alert>}
      {answer?.outcome === "claimed" && (
        <Alert>{reviewPanelCopy.writing(answer.by ?? reviewPanelCopy.conflict.somebody)}</Alert>
      )}
      {answer &&
        answer.outcome !== "saved" &&
        answer.outcome !== "conflict" &&
        answer.outcome !== "claimed" && <Alert>{refusalWords(answer.outcome)}</Alert>}
      {give.isError && (
        <Alert>
          {errorMessage(give.error, { forbidden: copy.forbidden, unknown: copy.failed })}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button type="submit" busy={give.isPending}>
          {copy.give}
        </Button>
        <Button variant="secondary" waiting={give.isPending} onClick={() => setIsOpen(false)}>
          {copy.cancel}
        </Button>
      </div>
    </form>
  );
}
