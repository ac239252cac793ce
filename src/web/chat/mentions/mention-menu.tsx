import clsx from 'clsx'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { noteUse } from '#shared/chat/palette/palette.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isComposing, useConfirm } from '../../platform/lib/enter-key.ts'
import { mentionIcons } from './mention-icons.ts'
import { type FoundMention, useFoundMentions } from './use-found-mentions.ts'

export { MentionChips } from './mention-chips.tsx'

type MentionMenuProps = {
  sessionId: string
  listId: string
  words: string
  /** Receives the handler of the composer's keys. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | null>
  onActive: (id: string | null) => void
  onChoose: (found: FoundMention) => void
  onClose: () => void
}

/** Lists the things that match the words after an `@`. The focus stays in the composer. */
export function MentionMenu({
  sessionId,
  listId,
  words,
  keys,
  onActive,
  onChoose,
  onClose,
}: MentionMenuProps) {
  const { t } = useTranslation('palette')
  const { found, foundFor } = useFoundMentions(sessionId, words)
  const [pointed, setPointed] = useState(0)
  const at = Math.min(pointed, found.length - 1)
  const activeId = at < 0 ? null : `${listId}-${at}`
  const choose = (one: FoundMention | undefined) => {
    if (!one) return
    if (one.kind !== 'tool' && one.kind !== 'session' && one.kind !== 'person')
      void call(noteUse, { body: { kind: one.kind, id: one.id }, quiet: true }).catch(() => undefined)
    onChoose(one)
  }
  const confirm = useConfirm(words, foundFor === words, () => choose(found[at]))
  useEffect(() => onActive(activeId), [activeId, onActive])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words begin at the best match.
  useEffect(() => setPointed(0), [words])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  keys.current = (event) => {
    if (isComposing(event) || found.length === 0) return false
    if (event.key === 'Escape') {
      onClose()
      return true
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      setPointed((at + step + found.length) % found.length)
      return true
    }
    if ((event.key !== 'Enter' && event.key !== 'Tab') || event.shiftKey) return false
    confirm()
    return true
  }
  useEffect(
    () => () => {
      keys.current = null
    },
    [keys],
  )
  if (found.length === 0) return null
  return (
    <div className="relative z-10">
      <div
        id={listId}
        role="listbox"
        data-words={foundFor}
        aria-label={t('mentions.title')}
        className="absolute inset-x-0 bottom-2 max-h-[min(400px,45dvh)] overflow-y-auto rounded-card border border-line-2 bg-raised p-1 shadow-float"
      >
        <div className="px-2.5 pt-1.5 pb-1 text-12 text-ink-3">{t('mentions.title')}</div>
        {found.map((one, place) => {
          const Icon = mentionIcons[one.kind]
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the composer, which names the active option.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the composer has the keys.
            <div
              key={`${one.kind} ${one.id}`}
              id={`${listId}-${place}`}
              role="option"
              aria-selected={place === at}
              onClick={() => choose(one)}
              onPointerMove={() => setPointed(place)}
              // The composer keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              className={clsx(
                'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-13 max-md:min-h-11',
                place === at && 'bg-surface-2',
              )}
            >
              <Icon aria-hidden className="icon-14 flex-none text-ink-2" />
              <span className="min-w-0 truncate font-medium">{one.name}</span>{' '}
              <span className="min-w-0 flex-1 truncate text-12 text-ink-3 max-md:hidden">{one.detail}</span>{' '}
              <span className="flex-none text-12 text-ink-3">{t(`mentions.kinds.${one.kind}`)}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
