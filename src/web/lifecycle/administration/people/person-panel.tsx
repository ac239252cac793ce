import type { ReactNode } from 'react'
import type { ManagedUserDetails } from '#shared/identity/administration/administration.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { PersonAccess } from './person-access.tsx'
import { PersonCompanies } from './person-companies.tsx'
import { PersonGroups } from './person-groups.tsx'
import { PersonUsage } from './person-usage.tsx'
import { StateBadges } from './state-badges.tsx'
import { usePerson } from './use-person.ts'

type PersonPanelProps = { userId: string; onClose: () => void }

/** One person at the side of the list: companies, groups, usage, sign-ins and account. */
export function PersonPanel({ userId, onClose }: PersonPanelProps) {
  const { t } = useTranslation('admin')
  const { data: person, error, isPending, refetch } = usePerson(userId)
  return (
    <Dialog
      open
      size="side"
      onOpenChange={(open) => open || onClose()}
      title={person ? <Head person={person} /> : t('administration.column.user')}
    >
      {isPending && <Skeletons className="grid gap-3 pt-4" sizes={['h-8', 'h-24', 'h-16', 'h-24']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {person && (
        <div className="grid gap-6 pt-4">
          <Section title={t('administration.person.companies')}>
            <PersonCompanies person={person} />
          </Section>
          <Section title={t('administration.person.groups')}>
            <PersonGroups person={person} />
          </Section>
          <Section title={t('administration.person.usage')}>
            <PersonUsage person={person} />
          </Section>
          <Section title={t('administration.person.account')}>
            <PersonAccess person={person} onDeleted={onClose} />
          </Section>
        </div>
      )}
    </Dialog>
  )
}

function Head({ person }: { person: ManagedUserDetails }) {
  const { t } = useTranslation('admin')
  const name = person.full_name?.trim() || person.username
  return (
    <span className="flex items-start gap-3">
      <Avatar name={name} pictureId={null} />
      <span className="grid min-w-0 gap-1">
        <span className="truncate">{name}</span>
        <span className="truncate text-13 font-regular text-ink-2">{person.email}</span>
        <span className="text-12 font-regular text-ink-3">
          {t('administration.person.since', {
            date: formatDate(person.created_at),
            username: person.username,
          })}
        </span>
        <StateBadges user={person} />
      </span>
    </span>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2.5">
      <h3 className="border-b border-line pb-1.5 text-13 font-semibold">{title}</h3>
      {children}
    </section>
  )
}
