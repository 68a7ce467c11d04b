import { Link, Navigate, useNavigate } from "@tanstack/react-router";
import {
  BedDouble,
  Coffee,
  Croissant,
  Dumbbell,
  Flower2,
  type LucideIcon,
  Scissors,
  ShoppingBag,
  Store,
  UtensilsCrossed,
  Wrench,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { tradeWheelsCopy } from "#domain/rules/trade-wheels.copy.ts";
import { TRADES, type Trade } from "#domain/rules/trade-wheels.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import type { Draft } from "./draft.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { OnboardingLayout } from "./onboarding-layout.tsx";

const copy = onboardingCopy.wheel;

const ICONS: Readonly<Record<Trade, LucideIcon>> = {
  cafe: Coffee,
  restaurant: UtensilsCrossed,
  bakery: Croissant,
  hairdresser: Scissors,
  beauty: Flower2,
  shop: ShoppingBag,
  hotel: BedDouble,
  garage: Wrench,
  gym: Dumbbell,
  other: Store,
};

/** Properties of the wheel's form, which belongs to another feature. */
type WheelFormProps<Wheel> = {
  name: string;
  submit: string;
  initial: Wheel;
  onEdit: (wheel: Wheel) => void;
  onStarted: (campaignId: string) => void;
  later: ReactNode;
};

type WheelPageProps<Wheel> = {
  store: { id: string; name: string };
  trade: Trade | undefined;
  /** Edited proposal of an earlier visit. */
  draft: Draft<{ trade: Trade; wheel: Wheel }>;
  proposalFor: (trade: Trade) => Wheel;
  form: (props: WheelFormProps<Wheel>) => ReactNode;
};

/** `/onboarding/wheel`: step 4, a trade and the wheel that is proposed to it. For those who may make both. */
export function WheelPage<Wheel>(props: WheelPageProps<Wheel>) {
  const { trade } = props;
  usePageTitle(trade ? copy.chosenTitle : copy.title);
  const { mayOpen } = useMay();
  if (!mayOpen("/campaigns/new") || !mayOpen("/rewards/new")) {
    return <Navigate to="/dashboard" replace />;
  }
  return trade ? <TradeWheel key={trade} {...props} trade={trade} /> : <TradeChoice />;
}

function Later() {
  return (
    <Link to="/dashboard" className={buttonClass({ variant: "quiet", size: "lg" })}>
      {copy.later}
    </Link>
  );
}

/** The trades, each a way on. */
function TradeChoice() {
  return (
    <OnboardingLayout isWide title={copy.title} text={copy.text} step={4}>
      <nav aria-label={copy.choose}>
        <ul className="grid gap-3 min-[340px]:grid-cols-2 sm:grid-cols-3 lg:grid-cols-5">
          {TRADES.map((trade) => {
            const Icon = ICONS[trade];
            return (
              <li key={trade}>
                <Link
                  to="/onboarding/wheel"
                  search={{ trade }}
                  className="flex h-full min-h-16 items-center gap-3 rounded-card border-[1.5px] border-transparent bg-surface p-4 font-semibold shadow-card transition-colors duration-150 hover:border-violet sm:flex-col sm:items-start sm:gap-4 sm:p-5"
                >
                  <Icon aria-hidden="true" className="size-7 shrink-0 text-violet" />
                  {tradeWheelsCopy[trade].name}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="-mx-4 -mt-4">
        <Later />
      </div>
    </OnboardingLayout>
  );
}

/** The wheel of a trade, to take as it is or to adjust. */
function TradeWheel<Wheel>(props: WheelPageProps<Wheel> & { trade: Trade }) {
  const { store, trade, draft, proposalFor, form } = props;
  const navigate = useNavigate();
  const [initial] = useState(() => {
    const kept = draft.read();
    return kept?.trade === trade ? kept.wheel : proposalFor(trade);
  });
  const [onEdit] = useState(() => (wheel: Wheel) => draft.keep({ trade, wheel }));
  return (
    <OnboardingLayout
      isWide
      title={copy.chosenTitle}
      text={
        <>
          <p>{copy.chosenText(tradeWheelsCopy[trade].name)}</p>
          <Link
            to="/onboarding/wheel"
            className="inline-flex min-h-11 items-center text-base font-semibold text-violet underline underline-offset-4"
          >
            {copy.change}
          </Link>
        </>
      }
      step={4}
    >
      {form({
        name: copy.campaign(store.name).slice(0, NAME_MAX_LENGTH).trim(),
        submit: copy.submit,
        initial,
        onEdit,
        onStarted: (campaign) => {
          draft.forget();
          void navigate({ to: "/onboarding/poster", search: { campaign }, replace: true });
        },
        later: <Later />,
      })}
    </OnboardingLayout>
  );
}
