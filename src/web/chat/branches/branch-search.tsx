import { Search, SearchX, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Kbd, shortcutLabel } from '../../platform/ui/kbd.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { HIT_PX, HitList } from './hit-list.tsx'
import { useRowWindow } from './row-window.ts'
import { useBranchHits } from './use-branch-hits.ts'

type BranchSearchProps = {
  sessionId: string
  /** Called to show a hit in place. */
  onOpen: (messageId: string) => void
  onClose: () => void
}

/** Searches every branch of a chat. The field keeps the focus; arrow keys move through the hits. */
export function BranchSearch({ sessionId, onOpen, onClose }: BranchSearchProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const found = useBranchHits(sessionId, typed)
  const { hits, total, query } = found
  const [chosen, setChosen] = useState({ query, at: 0 })
  // A new query starts at its first hit.
  const at = chosen.query === query ? Math.min(chosen.at, Math.max(0, hits.length - 1)) : 0
  const rows = useRowWindow(hits.length, HIT_PX, 0)
  useEffect(() => field.current?.focus(), [])
  const { scroller } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hits of other words begin at the top.
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [query])

  const isNearEnd = rows.to >= hits.length - 10 || at >= hits.length - 10
  const { loadMore } = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page it is asked again.
  useEffect(() => {
    if (isNearEnd) loadMore()
  }, [isNearEnd, loadMore, hits.length])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const hit = hits[at]
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && hit) onOpen(hit.message_id)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = Math.max(0, Math.min(hits.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))
      setChosen({ query, at: next })
      rows.reveal(next)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <search className="flex-none px-4 pt-3">
        <Input
          ref={field}
          role="combobox"
          aria-label={t('branch.find')}
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-hits`}
          aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder={t('branch.find')}
          value={typed}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          icon={<Search aria-hidden />}
          end={
            typed !== '' && (
              <IconButton
                name={t('branch.find_clear')}
                size="xs"
                className="-mr-1.5"
                onClick={() => {
                  setTyped('')
                  field.current?.focus()
                }}
              >
                <X aria-hidden className="icon-14" />
              </IconButton>
            )
          }
        />
        <p role="status" className="num mt-1.5 mb-1 min-h-4 px-0.5 text-12 text-ink-3">
          {query === '' ? t('branch.find_hint') : total > 0 && t('branch.messages', { count: total })}
        </p>
      </search>
      <HitList
        id={id}
        rows={rows}
        hits={hits}
        at={at}
        isLoading={found.isLoading}
        onOpen={(index) => {
          setChosen({ query, at: index })
          onOpen(hits[index]!.message_id)
        }}
      >
        {query !== '' && found.isEmpty && (
          <EmptyState icon={<SearchX aria-hidden />} title={t('branch.find_none', { query })}>
            {t('branch.find_none_text')}
          </EmptyState>
        )}
        {found.isError && <EmptyState icon={<SearchX aria-hidden />} title={t('branch.find_failed')} />}
      </HitList>
      <p className="flex min-h-12 flex-none flex-wrap items-center gap-1.5 border-t border-line px-4 py-2 text-12 text-ink-3 max-md:hidden touch:hidden">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        {t('branch.key_hits')}
        <Kbd>↵</Kbd>
        {t('branch.key_go')}
        <Kbd>{shortcutLabel('escape')}</Kbd>
        {t('branch.key_map')}
      </p>
    </>
  )
}
