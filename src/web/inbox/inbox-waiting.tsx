import { useCallback, useRef, useState } from 'react'
import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Kbd } from '../ui/kbd.tsx'
import { groupByDeadline, idOf, isAsked, needsForm } from './inbox-groups.ts'
import { InboxRow } from './inbox-row.tsx'
import { UnpaidRow } from './unpaid-row.tsx'
import { useInboxKeys } from './use-inbox-keys.ts'

/** What waits, by when it is due. The current one is marked; the first that needs a form starts open. */
export function InboxWaiting({ items }: { items: InputRequest[] }) {
  const { t } = useTranslation('common')
  const groups = groupByDeadline(items, new Date())
  const rows = groups.flatMap(({ items }) => items)
  const list = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [open, setOpen] = useState<string | null | undefined>(undefined)
  const first = rows.filter(isAsked).find(needsForm)
  const openId = open === undefined ? first && idOf(first) : open
  const currentId = rows.some((row) => idOf(row) === current) ? current : rows[0] && idOf(rows[0])
  const rowOf = useCallback(
    (id: string | null | undefined) =>
      list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`),
    [],
  )
  const move = (by: number) => {
    const at = rows.findIndex((row) => idOf(row) === currentId)
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))]
    if (!next) return
    setCurrent(idOf(next))
    rowOf(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const answer = (word: 'yes' | 'no') =>
    rowOf(currentId)?.querySelector<HTMLButtonElement>(`[data-answer="${word}"]`)?.click()
  useInboxKeys({ onMove: move, onAnswer: answer })
  return (
    <div ref={list}>
      {groups.map((group, at) => (
        <section key={group.name} aria-label={t(`inbox.groups.${group.name}`)}>
          <div className="flex h-10 items-center gap-2 text-12 font-medium text-ink-3">
            <h2 className="flex-1">{t(`inbox.groups.${group.name}`)}</h2>
            {at === 0 && <KeyHints />}
          </div>
          {group.items.map((item) => {
            const id = idOf(item)
            const place = { isCurrent: id === currentId, onCurrent: () => setCurrent(id) }
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

function KeyHints() {
  const { t } = useTranslation('common')
  return (
    <span aria-hidden className="flex items-center gap-1.5 font-regular max-md:hidden">
      <Kbd>J</Kbd>
      <Kbd>K</Kbd>
      {t('inbox.keys.move')}
      <span className="ml-2 flex items-center gap-1.5">
        <Kbd>A</Kbd>
        {t('inbox.keys.approve')}
      </span>
      <span className="ml-2 flex items-center gap-1.5">
        <Kbd>D</Kbd>
        {t('inbox.keys.decline')}
      </span>
    </span>
  )
}
