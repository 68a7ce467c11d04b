import "./customer.css";
import { type ReactNode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { type CustomerPage, customerPage } from "./page-data.ts";
import { renewPage } from "./parts/renew-page.ts";

const nameStep = () => import("./wheel/name-step.tsx");

/** The first step of the wheel page: the wheel for who has given a review, else a name. */
const firstStepOf = {
  review: () => import("./wheel/wheel-step.tsx"),
  libre: nameStep,
  test: nameStep,
};

/** The view of a page that the server has rendered; each kind brings its own script only. */
async function viewOf(page: CustomerPage): Promise<ReactNode> {
  switch (page.kind) {
    case "review": {
      const { ReviewPage } = await import("./review-flow/review-page.tsx");
      return <ReviewPage slug={page.campaign.slug} campaign={page.campaign} />;
    }
    case "play": {
      const { campaign, mode } = page;
      const [{ PlayPage }, first] = await Promise.all([
        import("./wheel/play-page.tsx"),
        firstStepOf[mode](),
      ]);
      return <PlayPage slug={campaign.slug} mode={mode} campaign={campaign} first={first} />;
    }
    case "kept": {
      const { KeptPage } = await import("./keep/kept-page.tsx");
      return (
        <KeptPage
          campaignId={page.campaign_id}
          slug={page.slug}
          store={page.store}
          pictures={page.pictures}
          words={page.words}
        />
      );
    }
    case "not-found": {
      const { NotFoundPage } = await import("./unavailable/not-found-page.tsx");
      return <NotFoundPage data={page.closed} />;
    }
    case "organization":
      // Links only: the server's page is whole as it is.
      return null;
  }
}

async function hydrate(steps: HTMLElement, data: string) {
  const shown = customerPage.parse(JSON.parse(data));
  if ("campaign" in shown && location.hash.startsWith("#p=")) {
    import("./presence/scanned.ts")
      .then(({ proveByScan }) => proveByScan(shown.campaign.id))
      // Lost on the way: the code on the till's screen can be typed.
      .catch(() => {});
  }
  const view = await viewOf(shown);
  // In parts, so that a touch in between is not kept waiting.
  if (view !== null) startTransition(() => void hydrateRoot(steps, view));
}

/** Renders the page in the browser, where no server has put it into the document. */
async function render(page: HTMLElement) {
  const { StaticPage } = await import("./static-page.tsx");
  createRoot(page).render(<StaticPage />);
}

/** Hydrates the page. A part of its script that was lost is asked for again, as `start-later.js` does. */
async function begin(): Promise<void> {
  const steps = document.getElementById("steps");
  const data = document.getElementById("page-data");
  const page = document.getElementById("page");
  try {
    if (steps !== null && data !== null) await hydrate(steps, data.textContent);
    else if (page !== null) await render(page);
  } catch (error) {
    const waiting = new AbortController();
    const again = () => {
      waiting.abort();
      begin();
    };
    for (const sign of ["online", "pointerdown"]) {
      addEventListener(sign, again, { signal: waiting.signal });
    }
    void renewPage();
    throw error;
  }
}

// In a turn of its own: what the page is made of has taken one to begin (docs/decisions/038).
setTimeout(begin);
