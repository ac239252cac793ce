import { ArrowUp, Square } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { enterHint, insertsLine, isSendKey, useEnterSends } from '../../platform/lib/enter-key.ts'
import { keysOf } from '../../platform/lib/me/shortcuts.ts'
import { useUploadState } from '../../platform/lib/uploads/upload-state.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { shortcutLabel } from '../../platform/ui/kbd.tsx'
import { carryDraft, keepDraft, onDraftElsewhere, onDraftGiven, readDraft } from './drafts.ts'
import { mentionWordsAt, slashWordsAt } from './slash-words.ts'

export type ComposerHandle = {
  focus(): void
  fill(text: string): void
  /** Sends the text, like Enter. */
  send(): void
  /** Removes the words after a slash or an `@` at the caret. */
  dropSlash(): void
  /** Inserts text at the caret. */
  insert(text: string): void
}

/** A list of suggestions for the words after a slash or an `@`. */
export type ComposerSlash = {
  /** Called with the words after the sign at the caret, or null. */
  onWords: (words: string | null) => void
  /** Handles a key while the list is open. Returns whether it did. */
  onKey: (event: KeyboardEvent) => boolean
  /** The open list and its highlighted option, for assistive technology. */
  listId: string | null
  activeId: string | null
}

type ComposerProps = {
  sessionId: string | null
  placeholder: string
  /** A reply is being written, so the button stops it. */
  isStreaming: boolean
  isStopping: boolean
  /** The run is waiting, so nothing can be sent and the text stays. `action` replaces the button. */
  held?: { action: ReactNode; noteId: string } | null
  /** Returns whether the text was accepted; otherwise it stays. */
  onSend: (text: string) => boolean
  onStop: () => void
  slash?: ComposerSlash
  mention?: ComposerSlash
  /** Chips of the mentioned things, above the text. */
  chips?: ReactNode
  /** Shown at the left: what is sent with the message. */
  start?: ReactNode
  /** Shown below a text that is written while a reply is: what the message does to it. */
  ways?: ReactNode
  /** Controls left of the send button. */
  children?: ReactNode
  ref?: Ref<ComposerHandle>
}

/** The field for messages. Text stays in the field itself, so that typing rerenders nothing else. */
export function Composer({
  sessionId,
  placeholder,
  isStreaming,
  isStopping,
  held = null,
  onSend,
  onStop,
  slash,
  mention,
  chips,
  start,
  ways,
  children,
  ref,
}: ComposerProps) {
  const { t } = useTranslation('streaming_blocks')
  const field = useRef<HTMLTextAreaElement>(null)
  const enterSends = useEnterSends()
  const [isEmpty, setEmpty] = useState(() => readDraft(sessionId) === '')
  const draw = (text: string) => {
    if (!field.current) return
    field.current.value = text
    grow(field.current)
    setEmpty(text.trim() === '')
  }
  const fill = (text: string) => {
    keepDraft(sessionId, text)
    draw(text)
  }
  const insert = (text: string, { start, end }: { start: number; end: number }) => {
    if (!field.current) return
    field.current.setRangeText(text, start, end, 'end')
    const caret = field.current.selectionEnd
    fill(field.current.value)
    field.current.setSelectionRange(caret, caret)
    field.current.focus()
    tellSlash()
  }
  const tellSlash = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    const isCaret = selectionStart === selectionEnd
    slash?.onWords(isCaret ? (slashWordsAt(value, selectionStart)?.words ?? null) : null)
    mention?.onWords(isCaret ? (mentionWordsAt(value, selectionStart)?.words ?? null) : null)
  }
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fill: (text) => {
      fill(text)
      field.current?.focus()
    },
    send: () => send(),
    dropSlash: () => {
      const { value = '', selectionStart = 0 } = field.current ?? {}
      const found = slashWordsAt(value, selectionStart) ?? mentionWordsAt(value, selectionStart)
      if (found) insert('', found)
    },
    insert: (text) => {
      const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
      insert(text, { start: selectionStart, end: selectionEnd })
    },
  }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft belongs to the session alone.
  useLayoutEffect(() => {
    if (sessionId) carryDraft(sessionId)
    const show = () => draw(readDraft(sessionId))
    show()
    const stops = [onDraftGiven(sessionId, show), onDraftElsewhere(sessionId, show)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [sessionId])

  const send = () => {
    if (held || !field.current?.value.trim()) return
    if (isComing(files)) return useUploadState.setState({ waiting: sessionId })
    deliver()
  }
  const deliver = () => {
    const text = field.current?.value ?? ''
    if (held || !text.trim() || !onSend(text)) return
    fill('')
    useUploadState.setState(({ sends }) => ({ sends: sends + 1 }))
  }
  const files = useUploadState(({ chats }) => chats[sessionId ?? ''])
  // A text that is written while a reply is has its own button.
  const sends = isStreaming && !isEmpty && !held
  const open = slash?.listId ? slash : mention
  const isWaiting = useUploadState(({ waiting }) => waiting !== null && waiting === sessionId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the state of the files triggers it.
  useEffect(() => {
    if (!isWaiting || isComing(files)) return
    useUploadState.setState({ waiting: null })
    // The person decides whether to send a message without a failed file.
    if (!files) send()
  }, [isWaiting, files])
  const isLeaving = useUploadState(({ leaving }) => leaving !== null && leaving === sessionId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the decision to send without files triggers it.
  useEffect(() => {
    if (!isLeaving) return
    useUploadState.setState({ leaving: null })
    deliver()
  }, [isLeaving])
  return (
    <div
      data-composer
      className="rounded-composer border border-line-strong bg-raised p-2.5 has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline-1 has-[textarea:focus-visible]:outline-focus"
    >
      {/* Attachments of the message. */}
      <div data-files />
      {chips}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        enterKeyHint={enterHint(enterSends)}
        aria-label={t('composer.label')}
        aria-describedby={held?.noteId}
        placeholder={placeholder}
        onChange={({ currentTarget }) => {
          grow(currentTarget)
          keepDraft(sessionId, currentTarget.value)
          setEmpty(currentTarget.value.trim() === '')
          tellSlash()
        }}
        onClick={tellSlash}
        onBlur={() => {
          slash?.onWords(null)
          mention?.onWords(null)
        }}
        {...(open?.listId && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-autocomplete': 'list' as const,
          'aria-controls': open.listId,
          'aria-activedescendant': open.activeId ?? undefined,
        })}
        onKeyDown={(event) => {
          if (slash?.onKey(event) || mention?.onKey(event)) return event.preventDefault()
          if (insertsLine(event) || !isSendKey(event, enterSends)) return
          event.preventDefault()
          send()
        }}
        className="composer-text block w-full bg-transparent px-2 pt-1 pb-2.5 text-16 leading-6 tracking-[-0.011em] outline-none"
      />
      {sends && ways}
      <div className="flex items-center gap-1">
        {start}
        <span className="flex-1" />
        {children}
        {sends && (
          <IconButton name={t('composer.stop')} keys={shortcutLabel(keysOf('stop'))} onClick={onStop}>
            <Square aria-hidden className="icon-14" />
          </IconButton>
        )}
        {held?.action ?? (
          <SendButton
            isStreaming={isStreaming && !sends}
            isStopping={isStopping}
            isOff={isEmpty || held !== null}
            enterSends={enterSends}
            onSend={send}
            onStop={onStop}
          />
        )}
      </div>
    </div>
  )
}

const isComing = (files: 'sending' | 'reading' | 'failed' | undefined) =>
  files === 'sending' || files === 'reading'

type SendButtonProps = {
  isStreaming: boolean
  isStopping: boolean
  /** Nothing can be sent now. */
  isOff: boolean
  enterSends: boolean
  onSend: () => void
  onStop: () => void
}

/** Send and stop are one button, so that it keeps the focus. */
function SendButton(props: SendButtonProps) {
  const { isStreaming, isStopping, isOff: cannotSend, enterSends, onSend, onStop } = props
  const { t } = useTranslation('streaming_blocks')
  const name = t(isStreaming ? 'composer.stop' : 'composer.send')
  const isOff = isStreaming ? isStopping : cannotSend
  return (
    <button
      type="button"
      aria-label={name}
      data-tip={name}
      data-tip-keys={
        isStreaming ? shortcutLabel(keysOf('stop')) : enterSends ? shortcutLabel(keysOf('send')) : undefined
      }
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) (isStreaming ? onStop : onSend)()
      }}
      className={`ml-1 grid size-8 flex-none place-items-center rounded-full hover-motion max-md:size-10 ${isOff ? 'bg-surface-2 text-ink-3' : 'bg-accent text-accent-fg hover:bg-accent-hover'}`}
    >
      {isStreaming ? (
        <span aria-hidden className="size-2.5 rounded-[2px] bg-current" />
      ) : (
        <ArrowUp aria-hidden className="icon-18" />
      )}
    </button>
  )
}

/** Sets the height of the field in browsers without `field-sizing`. */
function grow(field: HTMLTextAreaElement): void {
  if (globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, 150)}px`
}
