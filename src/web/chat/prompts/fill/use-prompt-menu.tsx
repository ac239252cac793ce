import { useLocation, useNavigate } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { loadTexts } from '../../../platform/i18n/i18n.ts'
import type { ComposerHandle, ComposerSlash } from '../../composer/composer.tsx'
import { useSelectedText } from './use-selected-text.ts'

const SlashMenu = lazy(async () => {
  const [file] = await Promise.all([import('./slash-menu.tsx'), loadTexts('prompts')])
  return { default: file.SlashMenu }
})
const PromptDock = lazy(async () => {
  const [file] = await Promise.all([import('./prompt-dock.tsx'), loadTexts('prompts', 'documents')])
  return { default: file.PromptDock }
})

type Options = {
  sessionId: string | null
  /** The chat has no messages. */
  isNew: boolean
  composer: RefObject<ComposerHandle | null>
  readLastReply: () => string
}

/** Prompts in a chat: a slash finds one, its form opens above the composer, and the filled text goes into the composer. */
export function usePromptMenu({ sessionId, isNew, composer, readLastReply }: Options): {
  slash: ComposerSlash
  menu: ReactNode
  dock: ReactNode
  /** Opens the form of a prompt. */
  choose: (promptId: string) => void
} {
  const listId = useId()
  const [words, setWords] = useState<string | null>(null)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [chosen, setChosen] = useChosen(sessionId)
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  const readSelection = useSelectedText(sessionId)
  const close = () => {
    setChosen(null)
    composer.current?.focus()
  }
  const isOpen = words !== null
  return {
    choose: setChosen,
    slash: {
      onWords: setWords,
      onKey: (event) => (isOpen && keys.current?.(event)) || false,
      listId: isOpen ? listId : null,
      activeId: isOpen ? activeId : null,
    },
    menu: isOpen && (
      <Suspense>
        <SlashMenu
          {...{ listId, words, keys }}
          onActive={setActiveId}
          onClose={() => setWords(null)}
          onChoose={(id) => {
            composer.current?.dropSlash()
            setWords(null)
            setChosen(id)
          }}
        />
      </Suspense>
    ),
    dock: chosen && (
      <div className="column order-1 flex-none print:hidden">
        <Suspense>
          <PromptDock
            key={`${chosen} ${sessionId}`}
            {...{ promptId: chosen, sessionId, isNew, readSelection, readLastReply }}
            onClose={close}
            onInsert={(text) => {
              setChosen(null)
              composer.current?.insert(text)
            }}
          />
        </Suspense>
      </div>
    ),
  }
}

/** The chosen prompt of a chat; a link may choose one. */
function useChosen(sessionId: string | null) {
  const { state } = useLocation()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice belongs to its chat.
  useEffect(() => setChosen(state.promptId ?? null), [sessionId])
  const choose = (id: string | null) => {
    setChosen(id)
    // The choice of the link is done, so that a reload does not repeat it.
    if (state.promptId) void navigate({ to: '.', replace: true, state: {} })
  }
  return [chosen, choose] as const
}
