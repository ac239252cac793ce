import { Bot } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { assistantIcons } from '../assistant-icon.tsx'

type IconChoiceProps = { value: string | null; onChange: (icon: string | null) => void }

/** Selects the icon of an assistant for lists. */
export function IconChoice({ value, onChange }: IconChoiceProps) {
  const { t } = useTranslation('assistant')
  const group = useId()
  const icons = [[null, Bot] as const, ...Object.entries(assistantIcons)]
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-13 font-medium">{t('field.icon')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {icons.map(([name, Icon]) => (
          <label
            key={name ?? 'none'}
            title={t(`icons.${name ?? 'none'}`)}
            className="inline-grid size-9 cursor-pointer place-items-center rounded-control border border-line-2 text-ink-2 hover-motion hover:bg-surface-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:size-11"
          >
            <input
              type="radio"
              name={group}
              className="sr-only"
              aria-label={t(`icons.${name ?? 'none'}`)}
              checked={value === name}
              onChange={() => onChange(name)}
            />
            <Icon aria-hidden className="icon" />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
