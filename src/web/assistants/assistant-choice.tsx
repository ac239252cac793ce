import { Search } from 'lucide-react'
import { Fragment, type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import type { Assistant } from '#shared/assistants/assistants.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toasts.ts'
import { groupAssistants } from './assistant-list.ts'
import { AssistantOption } from './assistant-option.tsx'
import { chooseAssistant } from './choose-assistant.ts'
import { useAssistants } from './use-assistants.ts'

/** From so many on they are searched. */
const MANY = 8
/** The key of the choice that is nobody. */
const NONE = 'none'

type AssistantChoiceProps = {
  sessionId: string
  currentId: string | null
  /** It takes the focus when it opens. */
  takesFocus?: boolean
  onChosen?: () => void
}

/** Who may write the next replies of a session, to choose one from; the first choice is nobody. */
export function AssistantChoice({ sessionId, currentId, takesFocus, onChosen }: AssistantChoiceProps) {
  const { t } = useTranslation('assistant')
  const { data, isError, refetch } = useAssistants()
  const choose = (assistant: Assistant | null) => {
    onChosen?.()
    if ((assistant?.id ?? null) === currentId) return
    chooseAssistant(sessionId, assistant).catch((error) => toast.error(errorText(t, error)))
  }
  if (data)
    return <Options assistants={data} currentId={currentId} takesFocus={takesFocus} onChoose={choose} />
  if (!isError) return <p className="p-4 text-13 text-ink-2">{t('loading')}</p>
  return (
    <div className="grid justify-items-start gap-2 p-4 text-13 text-ink-2">
      {t('load_failed')}
      <Button size="sm" onClick={() => void refetch()}>
        {t('common:actions.retry')}
      </Button>
    </div>
  )
}

type OptionsProps = {
  assistants: readonly Assistant[]
  currentId: string | null
  takesFocus: boolean | undefined
  onChoose: (assistant: Assistant | null) => void
}

function Options({ assistants, currentId, takesFocus, onChoose }: OptionsProps) {
  const { t } = useTranslation('assistant')
  const id = useId()
  const [query, setQuery] = useState('')
  const groups = groupAssistants(assistants, query)
  const found = groups.flatMap((group) => group.assistants)
  // Somebody who searches is not looking for nobody.
  const choices = [...(query.trim() ? [] : [null]), ...found]
  const current = assistants.find((one) => one.id === currentId) ?? null
  const { active, activeId, point, onKeyDown, holder } = useActive({
    id,
    choices,
    current,
    takesFocus,
    onChoose,
  })
  const option = (assistant: Assistant | null) => (
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
        {choices.length === 0 && <p className="px-2.5 py-3 text-13 text-ink-2">{t('no_hit', { query })}</p>}
      </div>
    </>
  )
}

const keyOf = (assistant: Assistant | null) => assistant?.id ?? NONE

type ActiveOptions = {
  id: string
  choices: (Assistant | null)[]
  current: Assistant | null
  takesFocus: boolean | undefined
  onChoose: (assistant: Assistant | null) => void
}

/** The choice the arrows are on. What has the focus, the field or the list, names it. */
function useActive({ id, choices, current, takesFocus, onChoose }: ActiveOptions) {
  const [pointed, setPointed] = useState(keyOf(current))
  const holder = useRef<HTMLElement>(null)
  const at = Math.max(
    0,
    choices.findIndex((choice) => keyOf(choice) === pointed),
  )
  const active = choices[at]
  const activeId = active === undefined ? undefined : `${id}-${keyOf(active)}`
  // The list may come after the layer it is in has looked for something to focus.
  useEffect(() => {
    if (takesFocus) holder.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.currentTarget instanceof HTMLInputElement
    const chooses = event.key === 'Enter' || (event.key === ' ' && !isField)
    const next = isField && /Home|End/.test(event.key) ? undefined : steps[event.key]?.(at, choices.length)
    if (next === undefined && !chooses) return
    if (event.nativeEvent.isComposing) return
    event.preventDefault()
    const choice = choices[next ?? at]
    if (choice === undefined) return
    if (chooses) onChoose(choice)
    else setPointed(keyOf(choice))
  }
  return { active, activeId, onKeyDown, holder, point: (one: Assistant | null) => setPointed(keyOf(one)) }
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}
