import { Link } from '@tanstack/react-router'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../../platform/lib/me/me.ts'
import { ArchivedCallout } from '../lifecycle/archived-callout.tsx'
import { DuplicateButton } from '../lifecycle/duplicate-button.tsx'
import { MemberList } from './member-list.tsx'
import { ProjectChatList } from './project-chat-list.tsx'
import { ProjectDocuments } from './project-documents.tsx'
import { ProjectMemory } from './project-memory.tsx'
import { ProjectSchedules } from './project-schedules.tsx'
import { SectionHead } from './section-head.tsx'
import { SpendingCard } from './spending-card.tsx'
import { StartField } from './start-field.tsx'

/** Chats, documents, spending, instructions, schedules, memory and members of a project, with a field that starts a chat in it. */
export function Overview({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { id, instructions, instructions_version, role } = project
  const [hasSchedules, hasMemory] = [useIsOpen('schedules'), useIsOpen('memory')]
  const mayDuplicate = useIsOpen('create_project') && role !== 'manager'
  const toSettings = (
    <Link
      to="/project/$projectId/{-$tab}"
      params={{ projectId: id, tab: 'settings' }}
      className="text-13 text-accent hover:underline"
    >
      {t(instructions ? 'instructions.change' : 'instructions.write')}
    </Link>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_320px] gap-6 px-8 py-6 max-lg:grid-cols-1 max-md:px-4">
      <div className="grid content-start gap-6">
        {project.is_archived ? <ArchivedCallout project={project} /> : <StartField project={project} />}
        <ProjectChatList project={project} />
        <div className="grid gap-2">
          <ProjectDocuments project={project} />
          {project.document_count > 0 && <p className="text-12 text-ink-3">{t('unanswered.notice')}</p>}
        </div>
      </div>
      <aside aria-label={t('settings.what')} className="grid content-start gap-6">
        <section>
          <SectionHead
            title={t('instructions.title')}
            note={instructions_version > 0 ? t('instructions.version', { number: instructions_version }) : ''}
          >
            {role === 'manager' && !project.is_archived && toSettings}
          </SectionHead>
          <div className="rounded-card border border-line px-4 py-3 text-13 text-ink-2">
            {instructions ? (
              <p dir="auto" className="line-clamp-8 wrap-anywhere whitespace-pre-wrap">
                {instructions}
              </p>
            ) : (
              t('instructions.none')
            )}
          </div>
        </section>
        <SpendingCard project={project} />
        {hasSchedules && <ProjectSchedules project={project} />}
        {hasMemory && <ProjectMemory project={project} />}
        <MemberList project={project} />
        {mayDuplicate && <DuplicateButton project={project} />}
      </aside>
    </div>
  )
}
