import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import type { ForkLink } from '#shared/chat/messages/messages.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { titleOf } from '../../../runs/sessions/sessions.ts'
import { useMessages } from '../chat/message-store.ts'

/** Below a message: the chat it was forked from, and the chats that were forked from it. */
export function ForkLinks({ messageId, isUser }: { messageId: string; isUser: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const links = useMessages((state) => state.links[messageId])
  if (!links) return null
  const address = ({ session_id, other_message_id }: ForkLink) =>
    `/chat/${session_id}${other_message_id ? `?message=${other_message_id}` : ''}`
  return (['from', 'to'] as const).map((way) => {
    const shown = links.filter((link) => link.way === way)
    if (shown.length === 0) return null
    return (
      <p
        key={way}
        className={clsx(
          'mt-2 flex flex-wrap items-baseline gap-x-2 text-13 text-ink-3 print:hidden',
          isUser && 'justify-end',
        )}
        data-fork={way}
      >
        {t(`branch.forked_${way}`)}
        {shown.map((link) => (
          <Link
            key={link.session_id}
            to={address(link)}
            className="max-w-full truncate text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
            dir="auto"
          >
            {titleOf({ id: link.session_id, title: link.title }, t)}
          </Link>
        ))}
      </p>
    )
  })
}
