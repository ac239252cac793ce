import { type KeyboardEvent, useRef, useState } from 'react'
import { TITLE_MAX } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { limitTitle, titleToSend } from './rename.ts'

type RenameFieldProps = {
  title: string
  /** Whether the length of the title is shown below the field. */
  hasCount?: boolean
  /** Ends the renaming: with the title to send, or null when the old one stays. */
  onEnd: (title: string | null) => void
}

/** The title of a session as a field in its place, with its count. Enter and leaving keep, Escape reverts. */
export function RenameField({ title, hasCount = true, onEnd }: RenameFieldProps) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState(limitTitle(title))
  // Leaving also happens when the field goes away after Enter or Escape.
  const hasEnded = useRef(false)
  const end = (result: string | null) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(result)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    // Enter also confirms a word of an input method.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Enter') end(titleToSend(typed, title))
    if (event.key === 'Escape') end(null)
  }
  return (
    <>
      <Input
        autoFocus
        aria-label={t('history.rename_label')}
        value={typed}
        maxLength={TITLE_MAX}
        className="-my-[5px] -ml-[9px] h-[30px]! w-[calc(100%+9px)]! px-2! font-medium"
        onChange={(event) => setTyped(limitTitle(event.target.value))}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={() => end(titleToSend(typed, title))}
      />
      {hasCount ? (
        <span aria-hidden className="num absolute right-3 bottom-[14px] text-12 text-ink-3">
          {typed.length} / {TITLE_MAX}
        </span>
      ) : null}
    </>
  )
}
