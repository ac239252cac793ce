import { Archive, Plus } from 'lucide-react'
import { type DragEvent, lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { Project } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { keep } from '../../../platform/lib/kept/kept.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { askToMove } from '../moving.ts'
import { moveProject, useProjects } from '../use-projects.ts'
import { NewProject } from './new-project.tsx'
import { PROJECT_TYPE, readDragged } from './project-drag.ts'
import { ProjectRow } from './project-row.tsx'
import { HEIGHT_KEY } from './section-height.ts'

const ArchivedProjects = lazy(async () => {
  const { ArchivedProjects } = await import('./archived-projects.tsx')
  return { default: ArchivedProjects }
})

/** Projects shown before “more” is pressed. */
const SHOWN = 8

/** The projects in the sidebar: each can be opened, collapsed, pinned, moved, and takes dropped chats. */
export function ProjectsSection() {
  const { t } = useTranslation('projects')
  const { data: projects = [] } = useProjects()
  const mayCreate = useIsOpen('create_project')
  const [isMaking, setMaking] = useState(false)
  const [isArchivedOpen, setArchivedOpen] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => keep(HEIGHT_KEY, String(box.current?.offsetHeight ?? 0)))
  const shown = isWhole ? projects : projects.slice(0, SHOWN)
  const move = (id: string, before: string | null) =>
    moveProject(id, before).catch(() => toast.error(t('failed.move')))
  const drop = (event: DragEvent, onto: Project) => {
    const { projectId, chatIds } = readDragged(event.dataTransfer)
    if (projectId) void move(projectId, targetOf(projects, projectId, onto.id))
    else askToMove(chatIds, onto.id)
  }
  return (
    <section
      ref={box}
      aria-label={t('title')}
      className="max-h-[45%] flex-none overflow-y-auto border-b border-line px-3 pt-1.5 pb-2"
    >
      <div className="flex h-8 items-center pl-3 text-12 font-medium text-ink-3 max-md:h-11">
        <h2 className="flex-1">{t('title')}</h2>
        <IconButton name={t('archive.list')} size="xs" onClick={() => setArchivedOpen(true)}>
          <Archive aria-hidden className="icon-14" />
        </IconButton>
        {mayCreate && (
          <IconButton name={t('new.title')} size="xs" onClick={() => setMaking(true)}>
            <Plus aria-hidden className="icon-14" />
          </IconButton>
        )}
      </div>
      <ul>
        {shown.map((project, at) => (
          <ProjectRow
            key={project.id}
            project={project}
            onDragStart={(event) => event.dataTransfer.setData(PROJECT_TYPE, project.id)}
            onDrop={(event) => drop(event, project)}
            onUp={at > 0 ? () => void move(project.id, projects[at - 1]?.id ?? null) : null}
            onDown={
              at < projects.length - 1 ? () => void move(project.id, projects[at + 2]?.id ?? null) : null
            }
          />
        ))}
      </ul>
      {projects.length > SHOWN && (
        <Button size="sm" variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('fewer') : t('more', { count: projects.length - SHOWN })}
        </Button>
      )}
      {isArchivedOpen && (
        <Suspense>
          <ArchivedProjects onClose={() => setArchivedOpen(false)} />
        </Suspense>
      )}
      {isMaking && <NewProject onClose={() => setMaking(false)} />}
    </section>
  )
}

/** Returns the project before which a dragged one lands: dropped from above it comes after the target. */
function targetOf(projects: readonly Project[], id: string, onto: string): string | null {
  const place = (one: string) => projects.findIndex((project) => project.id === one)
  return place(id) < place(onto) ? (projects[place(onto) + 1]?.id ?? null) : onto
}
