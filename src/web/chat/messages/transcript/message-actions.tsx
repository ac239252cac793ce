import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'

/** Visible on the last message, on hover, on focus, next to alternatives, and always on touch devices. */
export const actionsLook =
  'print:hidden flex items-center gap-0.5 text-ink-2 opacity-0 transition-opacity duration-120 group-hover/message:opacity-100 group-focus-within/message:opacity-100 group-data-last/message:opacity-100 has-[[data-step]]:opacity-100 touch:opacity-100'

type MessageActionsProps = {
  /** Returns the message as Markdown, when it is copied. */
  read: () => string
  /** Shown at the right end: the assistant and the model. */
  note: string
  /** Further actions, after copy. */
  children?: ReactNode
}

/** The actions of a reply. */
export function MessageActions({ read, note, children }: MessageActionsProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <div className={clsx(actionsLook, 'mt-2 -ml-2 max-md:flex-wrap')}>
      <CopyButton name={t('copy_answer')} read={read} />
      {children}
      <span className="flex-1" />
      <span className="num text-12 text-ink-3 max-md:basis-full max-md:pl-2">{note}</span>
    </div>
  )
}
