import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Button } from '../../../../platform/ui/button.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { Dialog } from '../../../../platform/ui/overlays/dialog.tsx'
import type { LibraryFilter } from '../library-filter.ts'
import { FilterChip } from './filter-chip.tsx'
import { noSource, type SourcePart, sourcePartText } from './source-part.ts'

type Props = { filter: LibraryFilter; change: (part: Partial<LibraryFilter>) => void }

/** Filters by where a document comes from: a chat, or a connected source and what it says of its items. */
export function SourceChip({ filter, change }: Props) {
  const { t } = useTranslation('documents')
  const [isTyping, setTyping] = useState(false)
  const { fromChats } = filter
  const text = sourcePartText(t, filter)
  return (
    <>
      <FilterChip
        name={t('filter.source')}
        value={fromChats ? t('filter.from_chats') : text}
        onClear={() => change({ fromChats: false, ...noSource })}
        entries={[
          {
            label: t('filter.from_chats'),
            checked: fromChats,
            onSelect: () => change({ fromChats: true, ...noSource }),
          },
          { label: t('source.typed'), checked: text !== null, onSelect: () => setTyping(true) },
        ]}
      />
      <Dialog
        open={isTyping}
        onOpenChange={setTyping}
        title={t('source.title')}
        description={t('source.about')}
      >
        <SourceForm filter={filter} change={change} onClose={() => setTyping(false)} />
      </Dialog>
    </>
  )
}

function SourceForm({ filter, change, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('documents')
  const { owner, folder, label, changedFrom, changedTo } = filter
  const [part, setPart] = useState<SourcePart>({ owner, folder, label, changedFrom, changedTo })
  const isTurned = part.changedFrom !== null && part.changedTo !== null && part.changedFrom > part.changedTo
  const set = (name: keyof SourcePart) => (value: string) => setPart({ ...part, [name]: value || null })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTurned) return
    const trimmed = Object.entries(part).map(([name, value]) => [name, value?.trim() || null])
    change({ fromChats: false, ...(Object.fromEntries(trimmed) as SourcePart) })
    onClose()
  }
  return (
    <form className="grid gap-4 pt-2" onSubmit={submit}>
      {(['owner', 'folder', 'label'] as const).map((name) => (
        <Field key={name} label={t(`source.${name}`)}>
          <Input
            value={part[name] ?? ''}
            maxLength={200}
            onChange={({ target }) => set(name)(target.value)}
          />
        </Field>
      ))}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('source.changed_from')}>
          <Input
            type="date"
            value={part.changedFrom ?? ''}
            onChange={({ target }) => set('changedFrom')(target.value)}
          />
        </Field>
        <Field label={t('source.changed_to')} error={isTurned && t('added.turned')}>
          <Input
            type="date"
            value={part.changedTo ?? ''}
            onChange={({ target }) => set('changedTo')(target.value)}
          />
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
