import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ChatAccess,
  listOwnChatAccesses,
  noteAccessesSeen,
} from '#shared/chat/chat-access/chat-access.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { refetchMe } from '../../platform/lib/me/me.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'

function useOwnAccesses() {
  return useQuery({
    queryKey: ['chat-accesses', 'own'],
    queryFn: ({ signal }) => call(listOwnChatAccesses, { signal }),
  })
}

/** Notifies a person that an administrator opened their chats, until they confirm it. */
export function ChatsOpenedNotice() {
  const { t } = useTranslation('chat_access')
  const { data } = useOwnAccesses()
  const [isRead, setRead] = useState(false)
  const unseen = data?.items.slice(0, data.unseen) ?? []
  if (unseen.length === 0 || isRead) return null
  const read = () => {
    setRead(true)
    void call(noteAccessesSeen, {}).then(refetchMe, () => setRead(false))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || read()}
      title={t('notice.title')}
      description={t('notice.text')}
      footer={
        <Button variant="primary" onClick={read}>
          {t('notice.read')}
        </Button>
      }
    >
      <div className="mt-4">
        <AccessList items={unseen} />
      </div>
    </Dialog>
  )
}

/** Past accesses to the person's chats, for their security page. */
export function OwnAccesses() {
  const { t } = useTranslation('chat_access')
  const { data, error, isPending } = useOwnAccesses()
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12']} />
  if (error) return <p className="text-13 text-danger">{errorText(t, error)}</p>
  if (data.total === 0) return <p className="text-13 text-ink-2">{t('own.nobody')}</p>
  return <AccessList items={data.items} />
}

function AccessList({ items }: { items: ChatAccess[] }) {
  const { t } = useTranslation('chat_access')
  return (
    <ul className="grid gap-3 text-13">
      {items.map((access) => (
        <li key={access.id}>
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {access.admin_name}
            {access.is_open && <Badge tone="warning">{t('own.open')}</Badge>}
          </span>
          <span className="block text-ink-2">{access.reason}</span>
          <span className="num block text-12 text-ink-3">
            {t('own.times', { from: formatDate(access.created_at), until: formatDate(access.expires_at) })}{' '}
            {t('own.read', { count: access.chats_read, shown: formatNumber(access.chats_read) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
