import { type EditorReward, LABEL_MAX_LENGTH } from "#domain/schemas/campaigns.ts";
import { NO_TRANSLATIONS, type TranslationValues } from "../../../lib/translation-values.ts";
import { TranslationFields } from "../../../ui/forms/translation-fields.tsx";
import { editorCopy } from "../editor.copy.ts";
import type { SegmentValues } from "../editor.schema.ts";

const copy = editorCopy.wheel;

type WheelTranslationsProps = {
  segments: readonly SegmentValues[];
  rewards: readonly EditorReward[];
  /** Called with the translations of a text, which apply wherever it occurs. */
  onChange: (label: string, translations: TranslationValues) => void;
};

/** Translations of the texts that are no names of their rewards: those are translated with the reward. */
export function WheelTranslations({ segments, rewards, onChange }: WheelTranslationsProps) {
  const own = segments.filter(({ label, rewardId }) => {
    const reward = rewards.find(({ id }) => id === rewardId);
    return label.trim() !== "" && label.trim() !== reward?.name;
  });
  const texts = [...new Set(own.map(({ label }) => label))];
  return texts.map((text, place) => (
    <TranslationFields
      // A text that is being typed stays the same one.
      // biome-ignore lint/suspicious/noArrayIndexKey: nothing is kept but whether it is open.
      key={place}
      title={copy.translations(text.trim())}
      text={text}
      values={
        own.find(({ label, translations }) => label === text && translations)?.translations ??
        NO_TRANSLATIONS
      }
      most={LABEL_MAX_LENGTH}
      onChange={(values) => onChange(text, values)}
    />
  ));
}
