import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react'
import type { NamedMention } from '#shared/chat/messages/mentions.ts'
import { loadTexts } from '../../platform/i18n/i18n.ts'
import type { ComposerHandle, ComposerSlash } from '../composer/composer.tsx'
import { addMentions, removeMention, useMentions } from './mention-store.ts'

/** Preloads the menu and the chips, so that no key is lost after an `@`. */
export const loadMentions = async () =>
  (await Promise.all([import('./mention-menu.tsx'), loadTexts('palette', 'tool_ui')]))[0]
const MentionMenu = lazy(async () => ({ default: (await loadMentions()).MentionMenu }))
const MentionChips = lazy(async () => ({ default: (await loadMentions()).MentionChips }))

type Options = {
  sessionId: string | null
  composer: RefObject<ComposerHandle | null>
  onPrompt: (promptId: string) => void
}

/** `@` in the composer: a menu of what the next message may name, and chips of what it names. */
export function useMentionMenu({ sessionId, composer, onPrompt }: Options): {
  mention: ComposerSlash
  menu: ReactNode
  chips: ReactNode
} {
  const listId = useId()
  const [words, setWords] = useState<string | null>(null)
  const [activeId, setActiveId] = useState<string | null>(null)
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const mentions = useMentions(sessionId)
  const isOpen = words !== null && sessionId !== null
  return {
    mention: {
      onWords: setWords,
      onKey: (event) => (isOpen && keys.current?.(event)) || false,
      listId: isOpen ? listId : null,
      activeId: isOpen ? activeId : null,
    },
    menu: isOpen && (
      <Suspense>
        <MentionMenu
          {...{ sessionId, listId, words, keys }}
          onActive={setActiveId}
          onClose={() => setWords(null)}
          onChoose={({ kind, id, name }) => {
            composer.current?.dropSlash()
            setWords(null)
            if (kind === 'prompt') onPrompt(id)
            else addMentions(sessionId, [{ kind, id, name }])
          }}
        />
      </Suspense>
    ),
    chips: sessionId !== null && (
      <MessageMentions
        mentions={mentions}
        onRemove={(one) => {
          removeMention(sessionId, one)
          composer.current?.focus()
        }}
      />
    ),
  }
}

type MessageMentionsProps = {
  mentions: readonly NamedMention[]
  /** Removes one; without it the message is sent. */
  onRemove?: (mention: NamedMention) => void
}

/** Chips of the things a message mentions. */
export function MessageMentions(props: MessageMentionsProps) {
  return (
    props.mentions.length > 0 && (
      <Suspense fallback={<div className={props.onRemove ? 'h-8.5' : 'h-6'} />}>
        <MentionChips {...props} />
      </Suspense>
    )
  )
}
