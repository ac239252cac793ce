import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Checkpoints } from '../blocks/checkpoint-line.tsx'
import type { CheckpointBlock } from '../blocks/group-blocks.ts'
import { shownOnHover } from '../blocks/shown-on-hover.ts'
import { useCheckpointNames, useReplyOfCheckpoints } from '../blocks/use-checkpoints.ts'

/** Visible on the last message, on hover, on focus, next to alternatives, and always on touch devices. */
export const actionsLook =
  'print:hidden flex items-center gap-0.5 text-ink-2 opacity-0 transition-opacity duration-120 group-hover/message:opacity-100 group-focus-within/message:opacity-100 group-data-last/message:opacity-100 has-aria-expanded:opacity-100 has-[[data-step]]:opacity-100 touch:opacity-100'

type MessageActionsProps = {
  /** Returns the message as Markdown, when it is copied. */
  read: () => string
  /** Shown at the right end: the assistant and the model. */
  note: string
  /** The note shows on hover and focus only, also on the last message. */
  isQuiet: boolean
  /** Checkpoints without a line in the reply. With a name they get one, otherwise they stand in the row. */
  checkpoints: readonly CheckpointBlock[]
  /** Further actions, after copy. */
  children?: ReactNode
}

/** The actions of a reply. */
export function MessageActions({ read, note, isQuiet, checkpoints, children }: MessageActionsProps) {
  const { t } = useTranslation('streaming_blocks')
  const hasReply = useReplyOfCheckpoints() !== null
  const { names } = useCheckpointNames(hasReply && checkpoints.length > 0)
  const isNamed = checkpoints.some(({ id }) => names.has(id))
  return (
    <>
      {isNamed && <Checkpoints blocks={checkpoints} />}
      <div className={clsx(actionsLook, 'mt-2 -ml-2 flex-wrap')}>
        <CopyButton name={t('copy_answer')} read={read} />
        {children}
        <span className="flex-1" />
        {!isNamed && <Checkpoints blocks={checkpoints} isInRow />}
        <span
          className={clsx(
            'num text-12 text-ink-3 max-md:basis-full max-md:pl-2 md:ml-2',
            isQuiet && shownOnHover,
          )}
        >
          {note}
        </span>
      </div>
    </>
  )
}
