import { useNavigate } from '@tanstack/react-router'
import { Bell, CheckCheck, Settings2 } from 'lucide-react'
import { lazy, useState } from 'react'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { NotificationList } from './notification-list.tsx'
import { useFirstNotifications, useRead } from './use-notifications.ts'
import { usePlaceRead } from './use-place-read.ts'
import { usePresence } from './use-presence.ts'
import { usePushBrowser } from './use-push-browser.ts'

/** Notifications of this browser, for the settings. */
export const PushSetting = lazy(() =>
  import('./push-setting.tsx').then((file) => ({ default: file.PushSetting })),
)

/** The bell with the number of unread notifications, on every page; opens the newest ones. */
export function NotificationsButton() {
  const { t } = useTranslation('notifications')
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const { data, isError } = useFirstNotifications()
  const read = useRead()
  const { items = [], unread = 0 } = data ?? {}
  usePresence()
  usePushBrowser()
  usePlaceRead(items)
  const title = t('common:nav.notifications')
  const name = unread > 0 ? `${title}, ${t('new', { count: unread })}` : title
  const go = (to: string) => {
    setOpen(false)
    void navigate({ to })
  }
  const onOpen = (item: Notification) => {
    setOpen(false)
    if (item.read_at === null && item.kind !== 'question_waiting') read.mutate({ ids: [item.id] })
  }
  return (
    <Popover
      trigger={
        <IconButton name={name} count={unread} on={isOpen}>
          <Bell aria-hidden className="icon" />
        </IconButton>
      }
      name={title}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="flex max-h-[min(640px,calc(100dvh-72px))] w-105 !max-w-[calc(100vw-16px)] flex-col !p-0"
    >
      <div className="flex h-11 flex-none items-center gap-1.5 border-b border-line pr-2 pl-4 text-14">
        <span className="font-medium">{title}</span>
        <span className="num text-12 text-ink-3">{unread > 0 && t('new', { count: unread })}</span>
        <span className="flex-1" />
        <IconButton
          name={t('read_all')}
          size="sm"
          disabled={unread === 0 || read.isPending}
          onClick={() => items[0] && read.mutate({ until: items[0].created_at })}
        >
          <CheckCheck aria-hidden className="icon" />
        </IconButton>
        <IconButton name={t('settings')} size="sm" onClick={() => go('/user/notifications')}>
          <Settings2 aria-hidden className="icon" />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-2">
        {items.length === 0 && (
          <p className="px-4 pt-5 pb-3 text-13 text-ink-2">{t(isError ? 'failed' : 'empty')}</p>
        )}
        <NotificationList items={items} onOpen={onOpen} />
      </div>
      <div className="flex flex-none justify-end border-t border-line px-2 py-1.5">
        <Button variant="ghost" size="sm" onClick={() => go('/notifications')}>
          {t('show_all')}
        </Button>
      </div>
    </Popover>
  )
}
