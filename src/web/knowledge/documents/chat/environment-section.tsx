import { Link, useNavigate } from '@tanstack/react-router'
import { Columns2, Ellipsis, Eye, LayoutGrid, RotateCcw, Unlink, Upload } from 'lucide-react'
import { useState } from 'react'
import { chipProgress } from '#shared/knowledge/documents/chip-progress.ts'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { unlinkDocument } from '#shared/knowledge/workspaces/workspaces.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { FileTile, PhaseBar } from '../../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { addFiles, askForFiles } from '../../uploads/uploads.ts'
import { retry } from '../document-actions.ts'
import { contentText, failureText, progressText, stateText } from '../document-words.ts'
import { useChatDocuments, useLibraryState } from '../library/use-library.ts'
import { isOver, phaseShare } from '../progress.ts'
import '../document-name.css'
import './chat-documents.css'

type Layout = 'columns' | 'grid'

/** The documents of a chat, in two columns or as a grid; more can be added. */
export function EnvironmentSection({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const [layout, setLayout] = useState<Layout>('columns')
  const { data, isPending, isError, refetch } = useChatDocuments(sessionId)
  const { data: state } = useLibraryState()
  if (isPending) return <Skeletons sizes={['h-8 w-full', 'h-8 w-11/12']} />
  if (isError && !data)
    return (
      <div role="alert" className="grid justify-items-start gap-2 p-4 text-13 text-ink-2">
        {t('load_failed')}
        <Button size="sm" onClick={() => void refetch()}>
          {t('common:actions.retry')}
        </Button>
      </div>
    )
  const browse = () => askForFiles((files) => addFiles(files, { sessionId }, state?.max_upload ?? null))
  return (
    <div className="grid gap-2 px-3 pt-2 pb-3">
      <div className="flex items-center gap-2 px-1">
        <p role="status" className="min-w-0 flex-1 text-12 text-ink-2">
          {data.total === 0 ? t('chat.empty') : <Sum documents={data.items} />}
        </p>
        <IconButton
          name={t('chat.grid')}
          size="xs"
          on={layout === 'grid'}
          aria-pressed={layout === 'grid'}
          onClick={() => setLayout('grid')}
        >
          <LayoutGrid aria-hidden className="icon-14" />
        </IconButton>
        <IconButton
          name={t('chat.columns')}
          size="xs"
          on={layout === 'columns'}
          aria-pressed={layout === 'columns'}
          onClick={() => setLayout('columns')}
        >
          <Columns2 aria-hidden className="icon-14" />
        </IconButton>
      </div>
      <ul className="env-list" data-layout={layout}>
        {data.items.map((document) => (
          <ChatDocument key={document.id} document={document} sessionId={sessionId} />
        ))}
      </ul>
      {data.has_more && (
        <Link
          to="/documents"
          search={{ chat: sessionId } as never}
          className="px-1 text-12 font-medium text-accent hover:underline"
        >
          {t('chat.more')}
        </Link>
      )}
      <button type="button" className="env-drop" onClick={browse}>
        <Upload aria-hidden className="icon" />
        <span>
          {t('chat.drop')} <span className="font-medium text-accent">{t('chat.browse')}</span>
        </span>
      </button>
    </div>
  )
}

/** Number of documents of the chat. */
export function EnvironmentNote({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('documents')
  const { data } = useChatDocuments(sessionId)
  return data && data.total > 0 ? t('chat.count', { count: data.total }) : null
}

function Sum({ documents }: { documents: readonly Document[] }) {
  const { t } = useTranslation('documents')
  const count = (test: (document: Document) => boolean) => documents.filter(test).length
  const parts: [string, number][] = [
    ['ready', count(({ status }) => status === 'completed')],
    ['reading', count((document) => !isOver(document))],
    ['failed_count', count(({ status }) => status === 'failed')],
  ]
  return parts
    .filter(([, number]) => number > 0)
    .map(([key, number]) => t(`chat.${key}`, { count: number }))
    .join(', ')
}

function ChatDocument({ document, sessionId }: { document: Document; sessionId: string }) {
  const { t } = useTranslation('documents')
  const { id, name, status, current_phase } = document
  const navigate = useNavigate()
  // Next to the chat, the address selects the document.
  const address = { to: '.', search: { document: id } as never }
  const { done, share } = phaseShare(document)
  const takeOut = () =>
    call(unlinkDocument, { params: { sessionId, documentId: id } }).then(
      () => readChatAgain(sessionId),
      (error) => toast.error(errorText(t, error)),
    )
  return (
    <li className="env-card">
      <span className="env-head">
        <FileTile extension={document.extension} size="sm" isChip />
        <Menu
          align="end"
          trigger={
            <IconButton name={t('card.menu', { name })} size="xs">
              <Ellipsis aria-hidden className="icon-14" />
            </IconButton>
          }
          entries={[
            {
              label: t('card.open_short'),
              icon: <Eye aria-hidden />,
              onSelect: () => void navigate(address),
            },
            ...(status === 'failed'
              ? [
                  {
                    label: t('card.retry_short'),
                    icon: <RotateCcw aria-hidden />,
                    onSelect: () => void retry(t, document),
                  },
                ]
              : []),
            { label: t('chat.remove'), icon: <Unlink aria-hidden />, onSelect: () => void takeOut() },
          ]}
        />
      </span>
      <Link {...address} title={name} className="doc-open">
        {name}
      </Link>
      <span className={`truncate text-12 ${status === 'failed' ? 'text-danger' : 'num text-ink-2'}`}>
        {noteOf()}
      </span>
      {status !== 'completed' && (
        <span
          role="progressbar"
          aria-label={name}
          aria-valuenow={chipProgress(status, current_phase)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <PhaseBar done={done} share={share} isFailed={status === 'failed'} />
        </span>
      )}
    </li>
  )

  function noteOf(): string {
    if (status === 'failed') return failureText(t, document)
    if (status !== 'completed')
      return [stateText(t, document), progressText(t, document)].filter(Boolean).join(' ')
    return [contentText(t, document), sizeText(t, document.size)].filter(Boolean).join(' · ')
  }
}

async function readChatAgain(sessionId: string): Promise<void> {
  for (const queryKey of [['documents'], ['session', sessionId]])
    await queryClient.invalidateQueries({ queryKey })
}
