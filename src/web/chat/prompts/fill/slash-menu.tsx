import { useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { Plus, UsersRound } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useState } from 'react'
import type { ListedPrompt } from '#shared/chat/prompts/prompts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing, useConfirm } from '../../../platform/lib/enter-key.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { useFoundPrompts } from '../use-prompts.ts'

/** Maximum prompts in the list. */
const MAX_SHOWN = 8

type SlashMenuProps = {
  listId: string
  words: string
  /** Receives the handler of the composer's keys. */
  keys: RefObject<((event: KeyboardEvent) => boolean) | null>
  onActive: (id: string | null) => void
  onChoose: (promptId: string) => void
  onClose: () => void
}

/** The prompts whose name or command has the words after the slash. The focus stays in the composer. */
export function SlashMenu(props: SlashMenuProps) {
  return useIsOpen('prompts') && <Prompts {...props} />
}

function Prompts({ listId, words, keys, onActive, onChoose, onClose }: SlashMenuProps) {
  const { t } = useTranslation('prompts')
  const navigate = useNavigate()
  const wanted = useDeferredValue(words.trim())
  const { data, isPending, isPlaceholderData } = useFoundPrompts(wanted, MAX_SHOWN)
  const [pointed, setPointed] = useState(0)
  const found = data?.items ?? []
  const last = wanted === '' ? found.length - 1 : found.length
  // Without a prompt, Enter sends the text, so that nothing is highlighted by itself.
  const at = found.length === 0 ? (pointed > 0 ? 0 : -1) : Math.min(pointed, last)
  const activeId = at < 0 ? null : `${listId}-${at}`
  const make = () => void navigate({ to: '/prompts/create', state: { promptName: wanted } })
  const choose = (place: number) => {
    const prompt = found[place]
    if (prompt) onChoose(prompt.id)
    else make()
  }
  const confirm = useConfirm(words.trim(), wanted === words.trim() && !isPlaceholderData, () => {
    if (at >= 0) choose(at)
  })
  useEffect(() => onActive(activeId), [activeId, onActive])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words begin at the best match.
  useEffect(() => setPointed(0), [wanted])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  keys.current = (event) => {
    if (isComposing(event)) return false
    if (event.key === 'Escape') {
      onClose()
      return true
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && last >= 0) {
      setPointed(found.length === 0 ? 1 : (at + step + last + 1) % (last + 1))
      return true
    }
    if ((event.key !== 'Enter' && event.key !== 'Tab') || event.shiftKey || at < 0) return false
    confirm()
    return true
  }
  useEffect(
    () => () => {
      keys.current = null
    },
    [keys],
  )
  if (isPending || (found.length === 0 && wanted === '')) return null
  return (
    <div className="relative z-10">
      <div
        id={listId}
        role="listbox"
        aria-label={t('menu.title')}
        className="absolute inset-x-0 bottom-2 max-h-[min(360px,45dvh)] overflow-y-auto rounded-card border border-line-2 bg-raised p-1 shadow-float"
      >
        <div className="px-2.5 pt-1.5 pb-1 text-12 text-ink-3">{t('menu.title')}</div>
        {found.map((prompt, place) => (
          <Option
            key={prompt.id}
            id={`${listId}-${place}`}
            isActive={place === at}
            onPoint={() => setPointed(place)}
            onChoose={() => choose(place)}
          >
            <PromptLine prompt={prompt} />
          </Option>
        ))}
        {wanted !== '' && (
          <Option
            id={`${listId}-${found.length}`}
            isActive={at === found.length}
            onPoint={() => setPointed(found.length === 0 ? 1 : found.length)}
            onChoose={make}
          >
            <Plus aria-hidden className="icon-14 text-ink-3" />
            <span className="truncate">{t('menu.new', { name: wanted })}</span>
          </Option>
        )}
      </div>
    </div>
  )
}

function PromptLine({ prompt: { command, name, beginning, shared_by } }: { prompt: ListedPrompt }) {
  const { t } = useTranslation('prompts')
  return (
    <>
      <span className="max-w-1/2 flex-none truncate font-mono text-13">/{command}</span>{' '}
      <span className="min-w-0 flex-1 truncate">
        <span className="text-13 font-medium">{name}</span>{' '}
        <span className="text-12 text-ink-3 max-md:hidden">{beginning}</span>
      </span>
      {shared_by && (
        <span className="flex-none text-ink-3">
          <UsersRound aria-hidden className="icon-14" />
          <span className="sr-only">{t('shared_by', { name: shared_by })}</span>
        </span>
      )}
    </>
  )
}

type OptionProps = {
  id: string
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
  children: React.ReactNode
}

function Option({ id, isActive, onPoint, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the composer, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the composer has the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={onChoose}
      onPointerMove={onPoint}
      // The composer keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      className={clsx(
        'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-13 max-md:min-h-11',
        isActive && 'bg-surface-2',
      )}
    >
      {children}
    </div>
  )
}
