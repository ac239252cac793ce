import { Link } from '@tanstack/react-router'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import type { ChatMessage } from '../chat/message-store.ts'

/** The files sent with a message; each opens next to the chat. */
export function MessageFiles({ message }: { message: ChatMessage }) {
  const { t } = useTranslation('streaming_blocks')
  const files = filesOf(message.metadata)
  if (files.length === 0) return null
  return (
    <ul aria-label={t('message_files')} className="message-files">
      {files.map(({ document_id: id, name }) => (
        <li key={id} className="min-w-0">
          <Link to="." search={{ document: id } as never} title={name} className="message-file">
            <FileTile extension={extensionOf(name)} size="sm" />
            <span className="truncate">{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
