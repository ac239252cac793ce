import { FileText, Lock, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Session, SessionProject } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { titleOf } from '../../../runs/sessions/sessions.ts'
import { useProject } from '../use-projects.ts'

type WhatChangesProps = {
  chats: readonly Session[]
  /** Chats that change their project. */
  moved: readonly Session[]
  /** The new project; null for none. */
  to: string | null
}

/** Says what a move changes for chats: instructions, documents, and who may read them. */
export function WhatChanges({ chats, moved, to }: WhatChangesProps) {
  const { t } = useTranslation('projects')
  const { data } = useProject(to)
  const target = data && !('notFound' in data) ? data : null
  if (moved.length === 0) return <Callout>{t('move.same', { count: chats.length })}</Callout>
  const left = [...new Map(moved.flatMap(({ project }) => (project ? [[project.id, project]] : []))).values()]
  const leaving = moved.flatMap((chat) => (chat.project?.is_shared ? [{ chat, project: chat.project }] : []))
  return (
    <section aria-label={t('move.changes', { count: moved.length })} className="grid gap-3">
      <h3 className="text-13 font-semibold">{t('move.changes', { count: moved.length })}</h3>
      <ul className="grid gap-2.5">
        {left.map((project) => (
          <Change key={project.id} icon={<ScrollText aria-hidden className="icon" />}>
            {t('move.leaves', { name: project.name })}
          </Change>
        ))}
        {to !== null && (
          <>
            <Change icon={<ScrollText aria-hidden className="icon" />} note={t('move.earlier')}>
              {target && target.instructions_version > 0
                ? t('move.instructions', { number: target.instructions_version })
                : t('move.no_instructions')}
            </Change>
            <Change icon={<FileText aria-hidden className="icon" />} note={t('move.own_files')}>
              {target?.document_count === 0
                ? t('move.no_documents')
                : t('move.documents', { count: target?.document_count ?? 0 })}
            </Change>
            <Change icon={<Lock aria-hidden className="icon" />}>
              {t('move.private', { count: moved.length })}
            </Change>
          </>
        )}
      </ul>
      {leaving.slice(0, 3).map(({ chat, project }) => (
        <LeavesMembers key={chat.id} title={titleOf(chat, t)} project={project} />
      ))}
      {leaving.length > 3 && (
        <Callout tone="warning">{t('move.more_leave', { count: leaving.length - 3 })}</Callout>
      )}
    </section>
  )
}

function Change({ icon, note, children }: { icon: ReactNode; note?: string; children: ReactNode }) {
  return (
    <li className="flex gap-2.5 text-13">
      <span className="flex-none pt-0.5 text-ink-2">{icon}</span>
      <span className="min-w-0 wrap-anywhere">
        {children}
        {note && <span className="block text-12 text-ink-3">{note}</span>}
      </span>
    </li>
  )
}

/** Warns that the members of a project lose a shared chat. */
function LeavesMembers({ title, project }: { title: string; project: SessionProject }) {
  const { t } = useTranslation('projects')
  const { data } = useProject(project.id)
  const members = data && !('notFound' in data) ? data.member_count - 1 : 0
  return (
    <Callout tone="warning">{t('move.members_lose', { title, name: project.name, count: members })}</Callout>
  )
}
