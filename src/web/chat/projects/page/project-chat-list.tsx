import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Lock, Users } from 'lucide-react'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { CHATS_TYPE, markOf, SessionMarkIcon, titleOf } from '../../../runs/sessions/sessions.ts'
import { useProjectChats } from '../use-projects.ts'
import { SectionHead } from './section-head.tsx'

const PAGE = 25
/** Maximum chats that are listed. */
const MAX_LISTED = 200
const filters = ['all', 'mine', 'unread'] as const
type Filter = (typeof filters)[number]

const passes: Record<Filter, (chat: Session) => boolean> = {
  all: () => true,
  mine: ({ project }) => project?.author === null,
  unread: ({ is_unread }) => is_unread,
}

/** The chats of a project that the person may read: their own, and those that members shared. */
export function ProjectChatList({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const [filter, setFilter] = useState<Filter>('all')
  const [limit, setLimit] = useState(PAGE)
  const { data } = useProjectChats(project.id, limit)
  const { chat_count, private_chat_count } = project
  const chats = data?.items.filter(passes[filter]) ?? []
  return (
    <section>
      <SectionHead
        title={t('chats.title')}
        note={
          project.is_shared
            ? t('chats.counts', { count: chat_count, own: private_chat_count })
            : String(chat_count)
        }
      >
        <Choice name={t('chats.which')}>
          {filters.map((one) => (
            <Segment key={one} isOn={filter === one} onClick={() => setFilter(one)}>
              {t(`chats.${one}`)}
              {one === 'unread' && project.unread_count > 0 && ` ${project.unread_count}`}
            </Segment>
          ))}
        </Choice>
      </SectionHead>
      {!data && <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />}
      {data && (
        <ul
          aria-label={t('chats.title')}
          className="divide-y divide-line overflow-hidden rounded-card border border-line"
        >
          {chats.map((chat) => (
            <ChatRow key={chat.id} chat={chat} isShared={project.is_shared} />
          ))}
          {chats.length === 0 && (
            <li className="px-4 py-3.5 text-13 text-ink-2">
              {t(filter === 'all' ? 'chats.none' : 'chats.none_match')}
            </li>
          )}
        </ul>
      )}
      {data && data.total > limit && limit < MAX_LISTED && (
        <Button className="mt-2" onClick={() => setLimit(Math.min(MAX_LISTED, limit + 50))}>
          {t('chats.more')}
        </Button>
      )}
    </section>
  )
}

function ChatRow({ chat, isShared }: { chat: Session; isShared: boolean }) {
  const { t } = useTranslation('projects')
  const { project, is_unread } = chat
  const Icon = project?.is_shared ? Users : Lock
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-3.5 py-2 hover-motion hover:bg-surface">
      <SessionMarkIcon mark={markOf(chat)} />
      <span className="min-w-0 flex-1">
        <Link
          to="/chat/$chatUid"
          params={{ chatUid: chat.id }}
          dir="auto"
          className={clsx(
            'block truncate text-14 after:absolute after:inset-0',
            is_unread ? 'font-semibold' : 'font-medium',
          )}
          onDragStart={(event) => event.dataTransfer.setData(CHATS_TYPE, chat.id)}
        >
          {titleOf(chat, t)}
        </Link>
        <span dir="auto" className="block truncate text-12 text-ink-2">
          {project?.author ? t('chats.by', { name: project.author }) : chat.preview}
        </span>
      </span>
      {isShared && (
        <span className="flex flex-none items-center gap-1.5 text-12 text-ink-2 max-md:sr-only">
          <Icon aria-hidden className="icon-14" />
          {t(project?.is_shared ? 'chats.members' : 'chats.only_you')}
        </span>
      )}
      {is_unread && (
        <span
          role="img"
          aria-label={t('common:history.unread')}
          className="size-2 flex-none rounded-pill bg-accent"
        />
      )}
      <span className="w-16 flex-none text-right text-12 text-ink-3">
        {formatDate(chat.updated_at, { day: 'numeric', month: 'short' })}
      </span>
    </li>
  )
}
