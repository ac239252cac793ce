import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useKeysOf } from '../../platform/lib/me/shortcuts.ts'
import { Kbd, shortcutLabel } from '../../platform/ui/kbd.tsx'
import { groupByDeadline, idOf, isAsked, needsForm } from './inbox-groups.ts'
import { InboxRow } from './inbox-row.tsx'
import { UnpaidRow } from './unpaid-row.tsx'
import { useCurrentRow } from './use-current-row.ts'
import { useInboxKeys } from './use-inbox-keys.ts'

/** Waiting requests by deadline. The current one is marked; the first that needs a form is open. */
export function InboxWaiting({ items }: { items: InputRequest[] }) {
  const { t } = useTranslation('common')
  const groups = groupByDeadline(items, new Date())
  const rows = groups.flatMap(({ items }) => items)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<string | null | undefined>(undefined)
  const first = rows.filter(isAsked).find(needsForm)
  const openId = open === undefined ? first && idOf(first) : open
  const { currentId, rowOf, move, onFocus, onBlur } = useCurrentRow(list, rows.map(idOf))
  const unfold = () => {
    const row = rowOf(currentId)
    const item = rows.find((one) => idOf(one) === currentId)
    if (!item || !row) return
    if (!isAsked(item)) return row.querySelector<HTMLElement>('a')?.click()
    const opens = openId !== currentId
    flushSync(() => setOpen(opens ? currentId : null))
    if (opens) focusForm(row)
  }
  const answer = (word: 'yes' | 'no') => {
    const row = rowOf(currentId)
    const button = row?.querySelector<HTMLButtonElement>(`[data-answer="${word}"]`)
    if (button) return button.click()
    if (word === 'yes' && row && openId === currentId) focusForm(row)
    else if (word === 'yes') unfold()
  }
  useInboxKeys({ onMove: move, onAnswer: answer, onOpen: unfold, onLeave: (row) => row.focus() })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices where the focus goes.
    <div ref={list} onBlur={onBlur}>
      {groups.map((group, at) => (
        <section key={group.name} aria-label={t(`inbox.groups.${group.name}`)}>
          <div className="flex h-10 items-center gap-2 text-12 font-medium text-ink-3">
            <h2 className="flex-1">{t(`inbox.groups.${group.name}`)}</h2>
            {at === 0 && <KeyHints />}
          </div>
          {group.items.map((item) => {
            const id = idOf(item)
            const place = { isCurrent: id === currentId, onCurrent: () => onFocus(id) }
            if (!isAsked(item)) return <UnpaidRow key={id} item={item} {...place} />
            return (
              <InboxRow
                key={id}
                item={item}
                {...place}
                isOpen={id === openId}
                onToggle={() => setOpen(id === openId ? null : id)}
                onSettled={() => setOpen(undefined)}
              />
            )
          })}
        </section>
      ))}
    </div>
  )
}

/** Focuses the first field of an opened request, or its first button. */
function focusForm(row: HTMLElement): void {
  const form = row.lastElementChild
  const field = form?.querySelector<HTMLElement>('textarea, input, select') ?? form?.querySelector('button')
  ;(field ?? row).focus()
}

function KeyHints() {
  const { t } = useTranslation('common')
  const keysOf = useKeysOf()
  return (
    <span aria-hidden className="flex items-center gap-1.5 font-regular max-md:hidden">
      <Kbd>{shortcutLabel(keysOf('next_request'))}</Kbd>
      <Kbd>{shortcutLabel(keysOf('previous_request'))}</Kbd>
      {t('inbox.keys.move')}
      <span className="ml-2 flex items-center gap-1.5">
        <Kbd>{shortcutLabel(keysOf('open_request'))}</Kbd>
        {t('inbox.keys.open')}
      </span>
      <span className="ml-2 flex items-center gap-1.5">
        <Kbd>{shortcutLabel(keysOf('approve'))}</Kbd>
        {t('inbox.keys.approve')}
      </span>
      <span className="ml-2 flex items-center gap-1.5">
        <Kbd>{shortcutLabel(keysOf('decline'))}</Kbd>
        {t('inbox.keys.decline')}
      </span>
    </span>
  )
}
