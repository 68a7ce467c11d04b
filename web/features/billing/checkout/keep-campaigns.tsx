import { checkoutCopy } from "./checkout.copy.ts";

const copy = checkoutCopy.keep;

type KeepCampaignsProps = {
  campaigns: readonly { id: string; name: string }[];
  /** Most campaigns that the plan lets run. */
  room: number;
  kept: readonly string[];
  onChange: (kept: string[]) => void;
};

/** Which campaigns go on when the plan has room for fewer. */
export function KeepCampaigns({ campaigns, room, kept, onChange }: KeepCampaignsProps) {
  return (
    <fieldset className="grid gap-3 rounded-card bg-surface p-6 shadow-card">
      <legend className="float-left text-xl font-bold">{copy.title}</legend>
      <p className="clear-both text-pretty text-muted">{copy.text(room)}</p>
      <div className="grid">
        {campaigns.map(({ id, name }) => {
          const isKept = kept.includes(id);
          return (
            <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 accent-violet"
                checked={isKept}
                disabled={!isKept && kept.length >= room}
                onChange={() =>
                  onChange(isKept ? kept.filter((other) => other !== id) : [...kept, id])
                }
              />
              <span className="min-w-0 break-words">{name}</span>
            </label>
          );
        })}
      </div>
      <p role="status" className="text-muted">
        {copy.count(kept.length, room)}
      </p>
    </fieldset>
  );
}
