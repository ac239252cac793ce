import { Search } from 'lucide-react'
import { Fragment, type Ref, useEffect, useId, useState } from 'react'
import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { groupAssistants } from './assistant-list.ts'
import { AssistantOption } from './assistant-option.tsx'
import { MoreButton } from './more-button.tsx'
import { keyOf, useActiveChoice } from './use-active-choice.ts'
import type { MoreAssistants } from './use-assistants.ts'

/** Minimum number of assistants for a search field. */
const MANY = 8

type AssistantOptionsProps = {
  assistants: readonly ListedAssistant[]
  more?: MoreAssistants
  currentId: string | null
  takesFocus?: boolean | undefined
  onChoose: (assistant: ListedAssistant | null) => void
}

/** The list itself, with a search field if it is long. */
export function AssistantOptions({
  assistants,
  more = null,
  currentId,
  takesFocus,
  onChoose,
}: AssistantOptionsProps) {
  const { t } = useTranslation('assistant')
  const id = useId()
  const [query, setQuery] = useState('')
  // A search covers the whole list, so the remaining pages load meanwhile.
  useEffect(() => {
    if (query.trim() && more && !more.isLoading) more.load()
  }, [query, more])
  const groups = groupAssistants(assistants, query)
  const found = groups.flatMap((group) => group.assistants)
  // A search has results only, without the choice of none.
  const choices = [...(query.trim() ? [] : [null]), ...found]
  const current = assistants.find((one) => one.id === currentId) ?? null
  const { active, activeId, point, onKeyDown, holder } = useActiveChoice({
    id,
    choices,
    current,
    takesFocus,
    onChoose,
  })
  const option = (assistant: ListedAssistant | null) => (
    <AssistantOption
      key={keyOf(assistant)}
      id={`${id}-${keyOf(assistant)}`}
      assistant={assistant}
      isCurrent={assistant?.id === current?.id}
      isActive={assistant === active}
      onChoose={() => onChoose(assistant)}
      onPoint={() => point(assistant)}
    />
  )
  const isSearched = assistants.length > MANY
  const keys = { 'aria-activedescendant': activeId, onKeyDown }
  return (
    <>
      {isSearched && (
        <div className="p-2 pb-1">
          <label className="flex h-8 items-center gap-2 rounded-control border border-line-2 bg-raised px-2.5 text-14 has-focus-visible:border-focus has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-md:h-11">
            <Search aria-hidden className="icon-14 text-ink-3" />
            <input
              {...keys}
              ref={holder as Ref<HTMLInputElement>}
              role="combobox"
              aria-expanded="true"
              aria-controls={id}
              aria-label={t('find')}
              placeholder={t('find')}
              value={query}
              onChange={({ target }) => setQuery(target.value)}
              className="min-w-0 flex-1 bg-transparent outline-none"
            />
          </label>
        </div>
      )}
      <div
        {...(isSearched ? {} : { ...keys, tabIndex: 0, ref: holder as Ref<HTMLDivElement> })}
        id={id}
        role="listbox"
        aria-label={t('choose')}
        className="max-h-[min(400px,55dvh)] overflow-y-auto rounded-card p-1 focus-visible:-outline-offset-2 max-md:max-h-none"
      >
        {choices[0] === null && option(null)}
        {groups.map((group) => (
          <Fragment key={group.name}>
            <div className="px-2.5 pt-2 pb-1 text-12 text-ink-3">{t(group.name)}</div>
            {group.assistants.map(option)}
          </Fragment>
        ))}
        {choices.length === 0 && !more && (
          <p className="px-2.5 py-3 text-13 text-ink-2">{t('no_hit', { query })}</p>
        )}
      </div>
      {more && <MoreButton more={more} />}
    </>
  )
}
