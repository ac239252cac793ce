import { type KeyboardEvent, useRef, useState } from 'react'
import { MAX_TITLE } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { limitTitle, titleToSend } from './rename.ts'

type RenameFieldProps = {
  title: string
  /** Whether the length of the title is shown below the field. */
  hasCount?: boolean
  /** Ends the renaming with the title to send, or null to keep the old one. */
  onEnd: (title: string | null) => void
}

/** An inline title field with a character count. Enter and blur save, Escape reverts. */
export function RenameField({ title, hasCount = true, onEnd }: RenameFieldProps) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState(limitTitle(title))
  // The field also loses focus when it disappears after Enter or Escape.
  const hasEnded = useRef(false)
  const end = (result: string | null) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(result)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    // Enter also confirms a word of an input method.
    if (isComposing(event)) return
    if (event.key === 'Enter') end(titleToSend(typed, title))
    if (event.key === 'Escape') end(null)
  }
  return (
    <>
      <Input
        autoFocus
        aria-label={t('history.rename_label')}
        value={typed}
        maxLength={MAX_TITLE}
        className="-my-[5px] -ml-[9px] h-[30px]! w-[calc(100%+9px)]! px-2! font-medium"
        onChange={(event) => setTyped(limitTitle(event.target.value))}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onBlur={() => end(titleToSend(typed, title))}
      />
      {hasCount ? (
        <span aria-hidden className="num absolute right-3 bottom-[14px] text-12 text-ink-3">
          {typed.length} / {MAX_TITLE}
        </span>
      ) : null}
    </>
  )
}
