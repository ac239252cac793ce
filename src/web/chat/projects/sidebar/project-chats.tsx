import { Link, useLocation } from '@tanstack/react-router'
import clsx from 'clsx'
import { MessageSquare } from 'lucide-react'
import type { Project } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { setSheetOpen } from '../../../platform/lib/layout.ts'
import { CHATS_TYPE, titleOf } from '../../../runs/sessions/sessions.ts'
import { useProjectChats } from '../use-projects.ts'

/** Chats shown below a project. */
const SHOWN = 5

/** The newest chats of a project in the sidebar. */
export function ProjectChats({ project: { id, name, chat_count } }: { project: Project }) {
  const { t } = useTranslation('projects')
  const { pathname } = useLocation()
  const { data } = useProjectChats(id, SHOWN)
  const row = 'flex h-8 min-w-0 items-center gap-2 rounded-row pr-2 pl-9 text-13 max-md:h-11'
  if (!data) return <div style={{ height: `${2 * Math.min(SHOWN, chat_count)}rem` }} />
  return (
    <ul aria-label={t('row.chats', { name })}>
      {data.items.map((chat) => {
        const isCurrent = pathname === `/chat/${chat.id}`
        const isUnread = chat.is_unread && !isCurrent
        return (
          <li key={chat.id}>
            <Link
              to="/chat/$chatUid"
              params={{ chatUid: chat.id }}
              aria-current={isCurrent ? 'page' : undefined}
              className={clsx(
                row,
                'hover-motion hover:bg-surface-2 -outline-offset-2!',
                isCurrent && 'bg-surface-2',
              )}
              onClick={() => setSheetOpen(false)}
              onDragStart={(event) => event.dataTransfer.setData(CHATS_TYPE, chat.id)}
            >
              <MessageSquare aria-hidden className="icon-14 flex-none text-ink-3" />
              <span dir="auto" className={clsx('min-w-0 flex-1 truncate', isUnread && 'font-semibold')}>
                {titleOf(chat, t)}
              </span>
              {isUnread && (
                <span
                  role="img"
                  aria-label={t('common:history.unread')}
                  className="size-2 flex-none rounded-pill bg-accent"
                />
              )}
            </Link>
          </li>
        )
      })}
      {data.total > SHOWN && (
        <li>
          <Link
            to="/project/$projectId/{-$tab}"
            params={{ projectId: id, tab: undefined }}
            className={`${row} text-ink-3 hover:text-ink`}
            onClick={() => setSheetOpen(false)}
          >
            {t('row.more_chats', { count: data.total - SHOWN })}
          </Link>
        </li>
      )}
      {data.total === 0 && <li className={`${row} text-ink-3`}>{t('row.no_chats')}</li>}
    </ul>
  )
}
