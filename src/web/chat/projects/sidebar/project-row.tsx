import { Link, useLocation } from '@tanstack/react-router'
import clsx from 'clsx'
import { ChevronRight, Ellipsis, Pin } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { Project } from '#shared/chat/projects/projects.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { setSheetOpen } from '../../../platform/lib/layout.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ContextMenu, Menu } from '../../../platform/ui/overlays/menu.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { ProjectLook } from '../looks.tsx'
import { markProject } from '../use-projects.ts'
import { ProjectChats } from './project-chats.tsx'
import { isTaken } from './project-drag.ts'
import { useProjectMenu } from './use-project-menu.tsx'

type ProjectRowProps = {
  project: Project
  onDragStart: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
  /** Moves it up; null for the first one. */
  onUp: (() => void) | null
  onDown: (() => void) | null
}

/** A project in the sidebar with its newest chats, when it is not collapsed. */
export function ProjectRow({ project, onDragStart, onDrop, onUp, onDown }: ProjectRowProps) {
  const { t } = useTranslation('projects')
  const { id, name, is_collapsed, is_pinned } = project
  const { pathname } = useLocation()
  const isCurrent = pathname.startsWith(`/project/${id}`)
  const [isOver, setOver] = useState(false)
  const menu = useProjectMenu(project, { onUp, onDown })
  const collapse = () =>
    markProject({ workspace_id: id, is_collapsed: !is_collapsed }).catch(() => toast.error(t('failed.mark')))
  const over = (event: DragEvent) => {
    if (!isTaken(event.dataTransfer)) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <li>
      <ContextMenu entries={menu}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a place to drop; the menu moves without a mouse. */}
        <div
          draggable
          onDragStart={onDragStart}
          onDragOver={over}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            onDrop(event)
          }}
          className={clsx(
            'group/project relative flex h-8 items-center gap-1 rounded-row pr-1.5 hover-motion hover:bg-surface-2 max-md:h-11',
            isCurrent &&
              'bg-surface-2 before:absolute before:inset-y-1.5 before:left-0 before:w-0.5 before:rounded-pill before:bg-accent',
            isOver && 'bg-accent-soft outline-1 -outline-offset-1 outline-accent',
          )}
        >
          <button
            type="button"
            aria-label={t(is_collapsed ? 'row.expand' : 'row.collapse', { name })}
            aria-expanded={!is_collapsed}
            className="z-1 grid h-full w-7 flex-none place-items-center text-ink-3 hover:text-ink max-md:w-9"
            onClick={() => void collapse()}
          >
            <ChevronRight aria-hidden className={clsx('icon-12', !is_collapsed && 'rotate-90')} />
          </button>
          <Link
            to="/project/$projectId/{-$tab}"
            params={{ projectId: id, tab: undefined }}
            draggable={false}
            aria-current={isCurrent ? 'page' : undefined}
            className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-row -outline-offset-2! text-13"
            onClick={() => setSheetOpen(false)}
          >
            <ProjectLook {...project} className="icon-14" />
            <span dir="auto" className={clsx('truncate', project.unread_count > 0 && 'font-semibold')}>
              {name}
            </span>
            {is_pinned && <Pin role="img" aria-label={t('row.pinned')} className="icon-12 text-ink-3" />}
          </Link>
          <Counts project={project} />
          <Menu
            align="end"
            entries={menu}
            trigger={
              <IconButton
                name={t('row.menu', { name })}
                size="xs"
                className="pointer-fine:not-focus-visible:not-data-popup-open:not-group-hover/project:sr-only"
              >
                <Ellipsis aria-hidden className="icon-14" />
              </IconButton>
            }
          />
        </div>
      </ContextMenu>
      {!is_collapsed && <ProjectChats project={project} />}
    </li>
  )
}

/** The number of chats; a dot for unread ones. */
function Counts({ project: { chat_count, unread_count } }: { project: Project }) {
  const { t } = useTranslation('projects')
  const look = 'pointer-fine:group-hover/project:hidden'
  if (unread_count > 0)
    return (
      <span
        role="img"
        aria-label={t('row.unread', { count: unread_count })}
        className={`mr-1.5 size-2 flex-none rounded-pill bg-accent ${look}`}
      />
    )
  return <span className={`num mr-1.5 text-12 text-ink-3 ${look}`}>{formatNumber(chat_count)}</span>
}
