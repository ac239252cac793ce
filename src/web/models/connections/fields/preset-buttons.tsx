import clsx from 'clsx'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { choosePreset, presetOf } from '../connection-draft.ts'
import type { ConnectionForm } from '../use-connection-form.ts'

/** Known compatible servers. A click fills in name and address. */
export function PresetButtons({ form: { draft, change } }: { form: ConnectionForm }) {
  const { t } = useTranslation('admin')
  const chosen = presetOf(draft)
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{t('models.form.presets')}</legend>
      {draft.form.presets.map((preset) => (
        <button
          key={preset.name}
          type="button"
          aria-pressed={preset === chosen}
          className={clsx(
            'rounded-control border px-2.5 py-1 text-12 hover-motion max-md:min-h-11',
            preset === chosen ? 'border-accent bg-accent-soft' : 'border-line-2 hover:bg-surface-2',
          )}
          onClick={() => change(choosePreset(draft, preset))}
        >
          {preset.name}
        </button>
      ))}
    </fieldset>
  )
}
