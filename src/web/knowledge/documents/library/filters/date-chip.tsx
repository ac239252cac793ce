import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { Dialog } from '../../../../platform/ui/overlays/dialog.tsx'
import { dayRanges, rangeOf, rangeText } from '../filter-choices.ts'
import type { LibraryFilter } from '../library-filter.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { filter: LibraryFilter; change: (part: Partial<LibraryFilter>) => void }

/** Filters by date added: a preset range, or two typed days. */
export function DateChip({ filter, change }: Props) {
  const { t } = useTranslation('documents')
  const [isTyping, setTyping] = useState(false)
  const days = rangeOf(filter)
  const isTyped = !days && Boolean(filter.from || filter.to)
  return (
    <>
      <FilterChip
        name={t('filter.added')}
        value={rangeText(t, filter)}
        onClear={() => change({ from: null, to: null })}
        entries={[
          ...dayRanges().map(({ name, from }) => ({
            key: name,
            label: t(`added.${name}`),
            checked: days === name,
            onSelect: () => change({ from, to: null }),
          })),
          { kind: 'separator' },
          { label: t('added.typed'), checked: isTyped, onSelect: () => setTyping(true) },
        ]}
      />
      <Dialog open={isTyping} onOpenChange={setTyping} title={t('added.title')}>
        <DayForm filter={filter} change={change} onClose={() => setTyping(false)} />
      </Dialog>
    </>
  )
}

function DayForm({ filter, change, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('documents')
  const [from, setFrom] = useState(filter.from ?? '')
  const [to, setTo] = useState(filter.to ?? '')
  const isTurned = from !== '' && to !== '' && from > to
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTurned) return
    change({ from: from || null, to: to || null })
    onClose()
  }
  return (
    <form className="grid gap-4 pt-2" onSubmit={submit}>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('added.from')}>
          <Input type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
        </Field>
        <Field label={t('added.to')} error={isTurned && t('added.turned')}>
          <Input type="date" value={to} onChange={({ target }) => setTo(target.value)} />
        </Field>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
        <Button variant="primary" type="submit" disabled={isTurned}>
          {t('added.apply')}
        </Button>
      </div>
    </form>
  )
}
