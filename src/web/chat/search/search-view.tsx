import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { SearchHit } from '#shared/chat/search/search.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useSettled } from '../../platform/lib/api/use-settled.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { View } from '../../platform/ui/view.tsx'
import { readFilter, type SearchFilter } from './filter.ts'
import { FilterChips } from './filter-chips.tsx'
import { FilterFields } from './filter-fields.tsx'
import { HitPreview } from './hit-preview.tsx'
import { Hits } from './hits.tsx'
import { moveToHit } from './move-to-hit.ts'
import { useSearchHits } from './use-search.ts'

/** One search over chats, documents, prompts and memory. The address has the words and the filter. */
export function SearchView() {
  const { t } = useTranslation('search')
  const { filter, change } = useFilter()
  const { typed, setTyped } = useTypedWords(filter, change)
  const { data, error, isPlaceholderData, refetch } = useSearchHits(filter)
  const [pointed, setPointed] = useState<SearchHit | null>(null)
  const groups = filter.q ? (data?.groups ?? null) : null
  const all = groups?.flatMap(({ items }) => items) ?? []
  const shown = all.find(({ id }) => id === pointed?.id) ?? pointed ?? all[0] ?? null
  const isCurrent = Boolean(groups) && !isPlaceholderData && typed.trim() === (filter.q ?? '')
  const people = new Map(all.map(({ person }) => [person.id, person.name]))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return
    if (event.key === 'ArrowDown' && moveToHit(null, 'first')) event.preventDefault()
    if (event.key === 'Enter' && isCurrent) document.querySelector<HTMLElement>('[data-hit]')?.click()
  }
  return (
    <View title={t('title')} panel={groups && shown && all.length > 0 ? <HitPreview hit={shown} /> : null}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[820px] grid-cols-1 gap-4 px-8 py-6 max-md:px-4 max-md:py-4">
          <SearchField {...{ typed, onKeyDown }} onType={setTyped} />
          <FilterFields {...{ filter, people }} onChange={change} />
          <FilterChips {...{ filter, people, projectName: data?.project_name ?? null }} onChange={change} />
          <Hits
            {...{ filter, groups, error, isCurrent }}
            onPoint={setPointed}
            onRetry={() => void refetch()}
          />
        </div>
      </div>
    </View>
  )
}

type FieldProps = {
  typed: string
  onType: (text: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

function SearchField({ typed, onType, onKeyDown }: FieldProps) {
  const { t } = useTranslation('search')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <search>
      <Input
        ref={field}
        size="lg"
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        icon={<Search aria-hidden />}
        aria-label={t('field')}
        placeholder={t('field')}
        value={typed}
        data-search-field
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
        end={
          typed !== '' && (
            <IconButton
              name={t('clear')}
              size="xs"
              className="-mr-1.5"
              onClick={() => {
                onType('')
                field.current?.focus()
              }}
            >
              <X aria-hidden className="icon-14" />
            </IconButton>
          )
        }
      />
    </search>
  )
}

/** The filter in the address, and the function that changes parts of it; undefined removes one. */
function useFilter() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filter = readFilter(search)
  const change = (changes: { [K in keyof SearchFilter]?: SearchFilter[K] | undefined }) =>
    void navigate({
      to: '/search',
      search: (before: Record<string, unknown>) => ({ ...before, ...changes }),
      replace: true,
    } as never)
  return { filter, change }
}

/** The typed words. They move into the address when they have not changed for a moment, and follow it otherwise. */
function useTypedWords({ q = '' }: SearchFilter, change: (changes: { q: string | undefined }) => void) {
  const [typed, setTyped] = useState(q)
  const [seen, setSeen] = useState(q)
  const [sent, setSent] = useState(q)
  const settled = useSettled(typed.trim())
  if (q !== seen) {
    setSeen(q)
    if (q !== sent) {
      setTyped(q)
      setSent(q)
    }
  }
  useEffect(() => {
    if (settled === sent || settled !== typed.trim()) return
    setSent(settled)
    change({ q: settled || undefined })
  })
  return { typed, setTyped }
}
