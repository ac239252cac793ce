import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing, useConfirm } from '../../platform/lib/enter-key.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import type { useHistorySearch } from './use-history-search.ts'

/** Number of hits above which a reader cannot look through them. */
const MANY_HITS = 100

type HistorySearchProps = {
  search: ReturnType<typeof useHistorySearch>
  /** Number of hits; null while unknown. */
  total: number | null
  /** True when the list shows the hits of the typed words, false while they load. */
  isSettled: boolean
}

/** The search field of the history, with the number of hits. Down moves to the hits, Escape closes. */
export function HistorySearch({ search, total, isSettled }: HistorySearchProps) {
  const { t } = useTranslation('common')
  const field = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking for the search again brings the focus back.
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [search.requests])
  const first = () => field.current?.closest('section')?.querySelector<HTMLElement>('[data-row-focus]')
  const confirm = useConfirm(search.typed.trim(), isSettled, () => {
    // The rows are measured after the hits arrived.
    setTimeout(() => first()?.click())
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Escape') search.close()
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'Enter') confirm()
    else first()?.focus()
  }
  const isMany = total !== null && total > MANY_HITS
  return (
    <search className="flex-none px-3 pt-3">
      <Input
        ref={field}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={t('history.search')}
        placeholder={t('history.search')}
        value={search.typed}
        maxLength={200}
        className="h-9!"
        onChange={(event) => search.setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        icon={<Search aria-hidden />}
        end={
          <IconButton name={t('history.search_clear')} size="xs" className="-mr-1.5" onClick={search.close}>
            <X aria-hidden className="icon-14" />
          </IconButton>
        }
      />
      <p role="status" className="num mt-1.5 min-h-4 px-0.5 text-12 text-ink-3">
        {total !== null && total > 0 && t(isMany ? 'history.many_hits' : 'history.hits', { count: total })}
      </p>
    </search>
  )
}
