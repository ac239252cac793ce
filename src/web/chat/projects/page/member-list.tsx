import { Link } from '@tanstack/react-router'
import { User, Users } from 'lucide-react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { SectionHead } from './section-head.tsx'
import { useMembers } from './use-members.ts'

const SHOWN = 5

/** The first members of a project, with a link to all of them. */
export function MemberList({ project: { id, member_count, role } }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useMembers(id)
  return (
    <section>
      <SectionHead title={t('tabs.members')} note={String(member_count)}>
        <Link
          to="/project/$projectId/{-$tab}"
          params={{ projectId: id, tab: 'members' }}
          className="text-13 text-accent hover:underline"
        >
          {t(role === 'manager' ? 'members.change' : 'members.all')}
        </Link>
      </SectionHead>
      {!data && <Skeletons sizes={['h-10 w-full']} />}
      {data && (
        <ul aria-label={t('tabs.members')} className="divide-y divide-line rounded-card border border-line">
          {data.items.slice(0, SHOWN).map((member) => {
            const Icon = member.who === 'group' ? Users : User
            return (
              <li
                key={member.id ?? 'owner'}
                className="flex min-h-10 items-center gap-2.5 px-3.5 py-1.5 text-13"
              >
                <Icon aria-hidden className="icon flex-none text-ink-3" />
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {member.name}
                </span>
                <span className="flex-none text-12 text-ink-3">
                  {member.is_me ? t('members.you') : t(`roles.${member.role}`)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
