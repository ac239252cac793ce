import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import {
  AtSign,
  BellRing,
  CalendarCheck,
  CalendarClock,
  CalendarX,
  CircleCheck,
  CircleX,
  FileCheck,
  FileX,
  type LucideIcon,
  Megaphone,
  MessageCircleQuestionMark,
  Users,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { detailOf, timeOf, titleOf } from './notification-words.ts'

type RowProps = { item: Notification; onOpen: (item: Notification) => void }

/** One notification; opens its place. */
export function NotificationRow({ item, onOpen }: RowProps) {
  const { t } = useTranslation('notifications')
  const { Icon, tone } = looks[item.kind]
  const detail = detailOf(t, item)
  const isUnread = item.read_at === null
  return (
    <PlaceLink path={item.path} onOpen={() => onOpen(item)}>
      <span className="inline-grid size-7 flex-none place-items-center rounded-row bg-surface-2">
        <Icon aria-hidden className={clsx('icon-14', tone)} />
      </span>
      <span className="min-w-0 flex-1">
        <span
          dir="auto"
          className={clsx(
            'line-clamp-2 text-13 leading-[17px]',
            isUnread ? 'font-medium text-ink' : 'text-ink-2',
          )}
        >
          {titleOf(t, item)}
        </span>
        {detail && <span className="block truncate text-12 text-ink-3">{detail}</span>}
      </span>
      <time dateTime={item.created_at} className="num text-12 whitespace-nowrap text-ink-3">
        {timeOf(item.created_at, new Date())}
      </time>
      <span className="inline-grid w-1.5 flex-none">
        {isUnread && <span role="img" aria-label={t('unread')} className="size-1.5 rounded-pill bg-accent" />}
      </span>
    </PlaceLink>
  )
}

const look =
  'flex min-h-13 items-center gap-2.5 px-4 py-2 outline-none hover:bg-surface-2 focus-visible:bg-surface-2 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent'

type PlaceProps = { path: string; onOpen: () => void; children: ReactNode }

/** A link inside the product, or to the page of an announcement. */
function PlaceLink({ path, onOpen, children }: PlaceProps) {
  if (!path.startsWith('/'))
    return (
      <a href={path} target="_blank" rel="noreferrer noopener" className={look} onClick={onOpen}>
        {children}
      </a>
    )
  const { pathname, searchParams } = new URL(path, location.origin)
  return (
    <Link to={pathname} search={Object.fromEntries(searchParams)} className={look} onClick={onOpen}>
      {children}
    </Link>
  )
}

const looks: Record<NotificationKind, { Icon: LucideIcon; tone: string }> = {
  question_waiting: { Icon: MessageCircleQuestionMark, tone: 'text-warning' },
  reply_finished: { Icon: CircleCheck, tone: 'text-success' },
  reply_failed: { Icon: CircleX, tone: 'text-danger' },
  reply_unsent: { Icon: CircleX, tone: 'text-danger' },
  document_ready: { Icon: FileCheck, tone: 'text-success' },
  document_failed: { Icon: FileX, tone: 'text-danger' },
  budget_warning: { Icon: Wallet, tone: 'text-warning' },
  budget_spent: { Icon: Wallet, tone: 'text-danger' },
  mentioned: { Icon: AtSign, tone: 'text-accent' },
  schedule_failed: { Icon: CalendarX, tone: 'text-danger' },
  schedule_changed: { Icon: CalendarCheck, tone: 'text-success' },
  schedule_stopped: { Icon: CalendarX, tone: 'text-danger' },
  reminder: { Icon: BellRing, tone: 'text-accent' },
  deputy_asked: { Icon: MessageCircleQuestionMark, tone: 'text-warning' },
  schedule_offered: { Icon: CalendarClock, tone: 'text-accent' },
  connector_asks: { Icon: MessageCircleQuestionMark, tone: 'text-warning' },
  connector_signed_out: { Icon: CircleX, tone: 'text-danger' },
  item_shared: { Icon: Users, tone: 'text-accent' },
  announcement: { Icon: Megaphone, tone: 'text-accent' },
}
