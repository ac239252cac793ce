import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import {
  BellRing,
  CalendarClock,
  CircleCheck,
  CircleStop,
  CircleX,
  FileText,
  MessageSquare,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { plainOf } from '#shared/chat/sessions/preview.ts'
import type { DueToday, FinishedItem, UnreadChat } from '#shared/lifecycle/home/home.ts'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { InboxIcon, pageOf, titleOf, wordsOf } from '../../chat/inbox/inbox.ts'
import { formatDate, formatTime } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { titleOf as titleOfChat } from '../../runs/sessions/sessions.ts'

/** A request that waits; it is answered in its chat or in the inbox. */
export function WaitingRow({ item }: { item: InputRequest }) {
  const { t } = useTranslation(['home', 'common', 'tool_ui'])
  const page = pageOf(item) ?? { to: '/inbox', search: {} }
  return (
    <HomeRow
      {...page}
      icon={
        <span className="inline-flex flex-none">
          <InboxIcon request={item.request} small />
        </span>
      }
      title={titleOf(item, t)}
      detail={wordsOf(item, t)}
      isStrong
      time={timeOf(item.request.created_at)}
    />
  )
}

/** A reply or a document that finished. */
export function FinishedRow({ item }: { item: FinishedItem }) {
  const { t } = useTranslation(['home', 'common'])
  const { kind, id, name, outcome, is_unread, at } = item
  const isDocument = kind === 'document'
  return (
    <HomeRow
      to={isDocument ? `/documents/${id}` : `/chat/${id}`}
      icon={<OutcomeIcon {...item} />}
      title={kind === 'reply' ? titleOfChat({ id, title: name }, t) : name}
      detail={t(`outcome.${kind}.${outcome}`)}
      isStrong={is_unread}
      isUnread={is_unread}
      time={timeOf(at)}
    />
  )
}

function OutcomeIcon({ kind, outcome }: FinishedItem) {
  const isDone = outcome === 'completed'
  const Ended = isDone ? CircleCheck : outcome === 'stopped' ? CircleStop : CircleX
  const Icon = kind === 'document' ? FileText : Ended
  const tone = isDone ? 'text-success' : outcome === 'stopped' ? 'text-ink-3' : 'text-danger'
  return <RowIcon icon={<Icon aria-hidden className={clsx('icon-14', tone)} />} />
}

/** A time of a schedule. */
export function DueRow({ slot }: { slot: DueToday }) {
  const { t } = useTranslation(['home', 'schedules'])
  const { schedule_id, session_id, name, kind, due_at, state } = slot
  const Icon = kind === 'reminder' ? BellRing : CalendarClock
  const isOver = ['completed', 'failed', 'stopped', 'missed', 'skipped'].includes(state)
  return (
    <HomeRow
      to={session_id ? `/chat/${session_id}` : `/schedules/${schedule_id}`}
      icon={<RowIcon icon={<Icon aria-hidden className="icon-14 text-ink-2" />} />}
      title={name}
      detail={t(kind === 'reminder' && state === 'completed' ? 'reminded' : `schedules:slot.${state}`)}
      isStrong={!isOver}
      time={formatTime(due_at)}
    />
  )
}

/** A chat with news. */
export function UnreadRow({ chat: { id, title, preview, updated_at } }: { chat: UnreadChat }) {
  const { t } = useTranslation('home')
  return (
    <HomeRow
      to={`/chat/${id}`}
      icon={<RowIcon icon={<MessageSquare aria-hidden className="icon-14 text-ink-2" />} />}
      title={titleOfChat({ id, title }, t)}
      detail={plainOf(preview ?? '')}
      isStrong
      isUnread
      time={timeOf(updated_at)}
    />
  )
}

const RowIcon = ({ icon }: { icon: ReactNode }) => (
  <span className="inline-grid size-7 flex-none place-items-center rounded-row bg-surface-2">{icon}</span>
)

type RowProps = {
  to: string
  search?: Record<string, string>
  icon: ReactNode
  title: string
  detail: string
  isStrong: boolean
  isUnread?: boolean
  time: string
}

function HomeRow({ to, search = {}, icon, title, detail, isStrong, isUnread = false, time }: RowProps) {
  const { t } = useTranslation('home')
  return (
    <li>
      <Link
        to={to}
        search={search}
        className="flex min-h-14 items-center gap-3 px-3.5 py-2 outline-none hover:bg-surface-2 focus-visible:bg-surface-2 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {icon}
        <span className="min-w-0 flex-1">
          <span
            dir="auto"
            className={clsx('block truncate text-13', isStrong ? 'font-medium text-ink' : 'text-ink-2')}
          >
            {title}
          </span>
          {detail && (
            <span dir="auto" className="block truncate text-12 text-ink-3">
              {detail}
            </span>
          )}
        </span>
        <span className="num flex-none text-12 text-ink-3">{time}</span>
        {isUnread && (
          <span
            role="img"
            aria-label={t('is_unread')}
            className="size-1.5 flex-none rounded-pill bg-accent"
          />
        )}
      </Link>
    </li>
  )
}

function timeOf(time: string): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  return isToday ? formatTime(time) : formatDate(time, { day: 'numeric', month: 'short' })
}
