import { useNavigate } from '@tanstack/react-router'
import { Bell, CheckCheck, Settings2 } from 'lucide-react'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { View } from '../../platform/ui/view.tsx'
import { NotificationList } from './notification-list.tsx'
import { useNotifications, useRead } from './use-notifications.ts'

/** Lists the person's notifications of the last 90 days. */
export function NotificationsView() {
  const { t } = useTranslation('notifications')
  const navigate = useNavigate()
  const all = useNotifications()
  const read = useRead()
  const { items = [], unread = 0 } = all.data ?? {}
  const onOpen = ({ id, kind, read_at }: Notification) => {
    if (read_at === null && kind !== 'question_waiting') read.mutate({ ids: [id] })
  }
  return (
    <View
      title={t('common:nav.notifications')}
      badges={<span className="truncate text-13 text-ink-3 max-md:hidden">{t('all')}</span>}
      actions={
        <>
          <IconButton
            name={t('read_all')}
            disabled={unread === 0 || read.isPending}
            onClick={() => items[0] && read.mutate({ until: items[0].created_at })}
          >
            <CheckCheck aria-hidden className="icon" />
          </IconButton>
          <IconButton name={t('settings')} onClick={() => void navigate({ to: '/user/notifications' })}>
            <Settings2 aria-hidden className="icon" />
          </IconButton>
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[760px] pt-2 pb-24 md:px-4">
          {all.isPending && <Loader text={t('common:loading')} />}
          {all.isError && !all.data && (
            <Callout
              tone="danger"
              className="m-4"
              title={t('failed')}
              action={
                <Button size="sm" onClick={() => void all.refetch()}>
                  {t('common:actions.retry')}
                </Button>
              }
            >
              {errorText(t, all.error)}
            </Callout>
          )}
          {all.data && items.length === 0 && (
            <EmptyState className="pt-24" icon={<Bell aria-hidden />} title={t('empty')} />
          )}
          <NotificationList items={items} onOpen={onOpen} />
          {all.hasNextPage && (
            <p className="pt-3 text-center">
              <Button busy={all.isFetchingNextPage} onClick={() => void all.fetchNextPage()}>
                {t('more')}
              </Button>
            </p>
          )}
        </div>
      </div>
    </View>
  )
}
