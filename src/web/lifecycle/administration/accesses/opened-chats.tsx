import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { CHAT_PAGE, type ChatAccess } from '#shared/chat/chat-access/chat-access.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useOpenedChat, useOpenedChats } from './use-chat-access.ts'

/** Chats of a user, for the duration of an access. */
export function OpenedChats({ access, onBack }: { access: ChatAccess; onBack: () => void }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [chatId, setChatId] = useState<string | null>(null)
  const { data, error, isPending, refetch } = useOpenedChats(access.id, page)
  if (chatId) return <OpenedChat accessId={access.id} chatId={chatId} onBack={() => setChatId(null)} />
  return (
    <>
      <Head title={t('administration.accesses.chats_of', { name: access.person.name })} onBack={onBack} />
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.total === 0 && <p className="text-13 text-ink-2">{t('administration.accesses.no_chats')}</p>}
      {data && data.items.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {data.items.map(({ id, title, updated_at }) => (
            <li key={id} className="flex items-center gap-3 py-2 pr-2 pl-4">
              <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
              <span className="num text-12 text-ink-3">{formatDate(updated_at)}</span>
              <Button
                size="sm"
                onClick={() => setChatId(id)}
                aria-label={`${t('administration.accesses.read_one')}: ${title}`}
              >
                {t('administration.accesses.read_one')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <Pages page={page} limit={CHAT_PAGE} shown={data.items.length} total={data.total} onPage={setPage} />
      )}
    </>
  )
}

type OpenedChatProps = { accessId: string; chatId: string; onBack: () => void }

/** Messages of a chat as plain text. Nothing in them is executed or loaded. */
function OpenedChat({ accessId, chatId, onBack }: OpenedChatProps) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useOpenedChat(accessId, chatId, page)
  return (
    <>
      <Head title={data?.title ?? ''} onBack={onBack} />
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      <ol className="grid gap-4">
        {data?.messages.map(({ id, role, content, created_at }) => (
          <li key={id} className="text-13">
            <span className="num block text-12 text-ink-3">
              {t(`administration.accesses.said_by.${role}`)} · {formatDate(created_at)}
            </span>
            <p className="whitespace-pre-wrap break-words">{content}</p>
          </li>
        ))}
      </ol>
      {data && (data.has_more || page > 1) && (
        <div className="admin-pages">
          <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('administration.previous')}
          </Button>
          <Button size="sm" disabled={!data.has_more} onClick={() => setPage(page + 1)}>
            {t('administration.next')}
          </Button>
        </div>
      )}
    </>
  )
}

function Head({ title, onBack }: { title: string; onBack: () => void }) {
  const { t } = useTranslation('admin')
  return (
    <div className="admin-head">
      <IconButton name={t('administration.accesses.back')} onClick={onBack}>
        <ChevronLeft aria-hidden className="icon" />
      </IconButton>
      <h2 className="min-w-0 truncate">{title}</h2>
    </div>
  )
}
