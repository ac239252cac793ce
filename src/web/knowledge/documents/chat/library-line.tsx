import { Link } from '@tanstack/react-router'
import { Bot, FolderOpen, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NamedDocuments } from '#shared/knowledge/documents/named-documents.ts'
import { unlinkDocument, unlinkWorkspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { openContext } from '../../../platform/lib/chat-panel.ts'
import { FileTile } from '../../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useUploads } from '../../uploads/uploads.ts'
import { useChatLibrary } from './use-chat-library.ts'

/** The sources of the next answer, and those that cannot be read yet; nothing without documents. */
export function LibraryLine({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const { data } = useChatLibrary(sessionId)
  const added = useAdded(sessionId)
  if (!data) return null
  const { documents, workspaces, assistant, left_out } = data
  // Files of the next message have their own chips, which also say how far they are read.
  const own = documents.items.filter(({ id }) => added.includes(id))
  if (documents.total + workspaces.total === own.length && !assistant) return null
  const isReadingOthers = left_out.reading.names.some((name) => own.every((one) => one.name !== name))
  const more = documents.total + workspaces.total - documents.items.length - workspaces.items.length
  const takeOut = (unlinked: Promise<unknown>) =>
    unlinked.then(
      () => readChatAgain(sessionId),
      (error) => toast.error(errorText(t, error)),
    )
  return (
    <section aria-label={t('line.name')} className="chat-line">
      <ul className="chat-line-list">
        <li className="flex-none text-ink-3">{t('line.from', { count: data.readable })}</li>
        {documents.items
          .filter(({ id }) => !added.includes(id))
          .map(({ id, name }) => (
            <Chip
              key={id}
              remove={t('line.remove', { name })}
              onRemove={() => takeOut(call(unlinkDocument, { params: { sessionId, documentId: id } }))}
            >
              <Link to="." search={{ document: id } as never} title={name} className="chat-line-open">
                <FileTile extension={extensionOf(name)} size="sm" />
                <span className="truncate">{name}</span>
              </Link>
            </Chip>
          ))}
        {workspaces.items.map(({ id, name, document_count, is_project }) => (
          <Chip
            key={id}
            {...(!is_project && {
              remove: t('line.remove', { name }),
              onRemove: () => takeOut(call(unlinkWorkspace, { params: { sessionId, workspaceId: id } })),
            })}
          >
            <Link to={`/documents/workspace/${id}` as never} title={name} className="chat-line-open">
              <FolderOpen aria-hidden className="icon-14 flex-none" />
              <span className="truncate">{name}</span>
              <Count count={document_count} />
            </Link>
          </Chip>
        ))}
        {assistant && (
          <Chip>
            <button type="button" className="chat-line-open" onClick={() => openContext('assistant')}>
              <Bot aria-hidden className="icon-14 flex-none" />
              <span className="truncate">{t('line.files_of', { name: assistant.name })}</span>
              <Count count={assistant.document_count} />
            </button>
          </Chip>
        )}
        {more > 0 && (
          <li className="flex-none">
            <button
              type="button"
              className="num font-medium text-accent hover:underline"
              onClick={() => openContext('environment')}
            >
              {t('line.more', { count: more })}
            </button>
          </li>
        )}
      </ul>
      <p role="status" className="chat-line-note">
        {isReadingOthers && <LeftOut of="reading" documents={left_out.reading} />}
        <LeftOut of="failed" documents={left_out.failed} />
        {left_out.failed.documents > 0 && (
          <button
            type="button"
            className="font-medium text-accent hover:underline"
            onClick={() => openContext('environment')}
          >
            {t('line.go_on')}
          </button>
        )}
      </p>
    </section>
  )
}

/** Returns the documents added to the next message. */
function useAdded(sessionId: string): string[] {
  const items = useUploads((state) => state.items)
  return items
    .filter(({ target, state }) => target.sessionId === sessionId && state === 'done')
    .flatMap(({ document }) => document?.id ?? [])
}

type ChipProps = { children: ReactNode; remove?: string; onRemove?: () => void }

function Chip({ children, remove, onRemove }: ChipProps) {
  return (
    <li className="chat-line-chip">
      {children}
      {remove && (
        <IconButton name={remove} size="xs" onClick={onRemove}>
          <X aria-hidden className="icon-12" />
        </IconButton>
      )}
    </li>
  )
}

function Count({ count }: { count: number }) {
  const { t } = useTranslation('documents')
  return <span className="num flex-none text-ink-3">{t('count', { count })}</span>
}

/** Names a single one; otherwise shows their number, with the first names in a tooltip. */
function LeftOut({ of, documents: { documents, names } }: { of: string; documents: NamedDocuments }) {
  const { t } = useTranslation('documents')
  if (documents === 0) return null
  const list = names.join(', ')
  return (
    <span className="min-w-0 truncate" title={list}>
      {documents === 1
        ? t(`line.${of}_name`, { name: list })
        : t(`line.${of}`, { count: documents, names: list })}
    </span>
  )
}

async function readChatAgain(sessionId: string): Promise<void> {
  for (const queryKey of [['documents'], ['workspaces'], ['session', sessionId]])
    await queryClient.invalidateQueries({ queryKey })
}
