import { Plus } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import type { DraftField } from './prompt-form-draft.ts'
import { type Suggestion, suggestFields } from './suggest-fields.ts'

type FoundValuesProps = {
  text: string
  /** Names that fields have already. */
  taken: readonly string[]
  /** Called with a new field and the text in which it replaces its value. */
  onTake: (field: Pick<DraftField, 'name' | 'type' | 'value'>, text: string) => void
}

/** Values of a message that could be fields. Each becomes one with a click, and its default. */
export function FoundValues({ text, taken, onTake }: FoundValuesProps) {
  const { t } = useTranslation('prompts')
  const searched = useDeferredValue(text)
  const found = useMemo(() => suggestFields(searched), [searched])
  if (found.length === 0) return null
  const take = ({ kind, type, value, initial }: Suggestion) => {
    const name = freeName(t(`found.${kind}`), taken)
    onTake(
      { name, type, value: initial },
      text.replaceAll(value, () => `{{${name}}}`),
    )
  }
  return (
    <section aria-label={t('found.title')} className="grid gap-2 rounded-card bg-accent-soft px-3.5 py-3">
      <p className="text-13">
        <span className="font-medium">{t('found.title')}</span> {t('found.text')}
      </p>
      <ul className="flex flex-wrap gap-2">
        {found.map((one) => (
          <li key={one.value} className="max-w-full">
            <Button
              size="sm"
              className="max-w-full"
              aria-label={t('found.take', { value: one.value, kind: t(`found.${one.kind}`) })}
              icon={<Plus aria-hidden className="icon-14" />}
              onClick={() => take(one)}
            >
              <span className="truncate">{one.value}</span>
              <span className="flex-none text-ink-3">{t(`found.${one.kind}`)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function freeName(word: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? word : `${word}_${number}`
    if (!taken.includes(name)) return name
  }
}
