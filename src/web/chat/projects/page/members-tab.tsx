import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { ProjectMember } from '#shared/chat/projects/project-members.ts'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { ProjectRole } from '#shared/chat/projects/roles.ts'
import { RecipientRow, RecipientSearch } from '../../../identity/sharing/sharing.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { RoleTable } from './role-table.tsx'
import { useChangeMembers, useMembers } from './use-members.ts'

/** The members of a project with their roles. Managers add, change and remove them. */
export function MembersTab({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const { data } = useMembers(project.id)
  const { add, change, remove, leave } = useChangeMembers(project.id)
  const [role, setRole] = useState<ProjectRole>('writer')
  const [doomed, setDoomed] = useState<ProjectMember | null>(null)
  const isManager = project.role === 'manager' && !project.is_archived
  const problem = add.error ?? change.error ?? remove.error ?? leave.error
  const roles = ProjectRole.options.map((value) => ({ value, label: t(`roles.${value}`) }))
  const isBusy = add.isPending || change.isPending || remove.isPending
  const own = data?.items.find(({ is_me, id }) => is_me && id !== null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_320px] gap-6 px-8 py-6 max-lg:grid-cols-1 max-md:px-4">
      <div className="grid content-start gap-4">
        {isManager && (
          <div className="flex items-start gap-2 max-md:flex-col">
            <div className="w-full min-w-0 flex-1">
              <RecipientSearch
                label={t('members.find')}
                kinds={['person', 'group']}
                shares={data?.items ?? []}
                onChoose={(recipient) => {
                  if (recipient.who === 'person' || recipient.who === 'group') add.mutate({ recipient, role })
                }}
              />
            </div>
            <Select
              aria-label={t('members.new_role')}
              className="w-36 flex-none max-md:w-full"
              value={role}
              options={roles}
              onValueChange={(value) => setRole(ProjectRole.parse(value))}
            />
          </div>
        )}
        {problem && (
          <Callout tone="danger" title={t('failed.members')}>
            {errorText(t, problem)}
          </Callout>
        )}
        {!data && <Skeletons className="grid gap-2" sizes={['h-14 w-full', 'h-14 w-full']} />}
        {data && (
          <ul aria-label={t('tabs.members')} className="divide-y divide-line rounded-card border border-line">
            {data.items.map((member) => (
              <MemberRow
                key={member.id ?? 'owner'}
                member={member}
                roles={roles}
                isBusy={isBusy}
                onRole={
                  isManager && member.id ? (next) => change.mutate({ id: member.id!, role: next }) : null
                }
                onRemove={isManager && member.id ? () => setDoomed(member) : null}
              />
            ))}
          </ul>
        )}
        <Callout>{t('members.note')}</Callout>
        {own && <LeaveButton name={project.name} onLeave={leave.mutateAsync} />}
      </div>
      <RoleTable />
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(isOpen) => isOpen || setDoomed(null)}
        title={t('members.remove_title', { name: doomed?.name ?? '' })}
        message={t('members.remove_text')}
        confirmLabel={t('members.remove')}
        onConfirm={() => {
          if (doomed?.id) remove.mutate(doomed.id)
          setDoomed(null)
        }}
      />
    </div>
  )
}

type MemberRowProps = {
  member: ProjectMember
  roles: { value: string; label: string }[]
  isBusy: boolean
  onRole: ((role: ProjectRole) => void) | null
  onRemove: (() => void) | null
}

function MemberRow({ member, roles, isBusy, onRole, onRemove }: MemberRowProps) {
  const { t } = useTranslation('projects')
  const { id, who, name, detail, role, is_me, people } = member
  const words = [
    ...(is_me ? [t('members.you')] : []),
    ...(id === null ? [t('members.owner')] : []),
    ...(people === null ? [] : [t('members.people', { count: people })]),
    ...(detail ? [detail] : []),
  ]
  return (
    <RecipientRow who={who} name={name} detail={words.join(' · ')}>
      {onRole ? (
        <Select
          size="sm"
          aria-label={t('members.role_of', { name })}
          value={role}
          disabled={isBusy}
          options={roles}
          onValueChange={(value) => onRole(ProjectRole.parse(value))}
        />
      ) : (
        <span className="text-13 text-ink-2">{t(`roles.${role}`)}</span>
      )}
      {onRemove && (
        <IconButton name={t('members.remove_one', { name })} size="sm" disabled={isBusy} onClick={onRemove}>
          <X aria-hidden className="icon-14" />
        </IconButton>
      )}
    </RecipientRow>
  )
}

/** Leaves the project after a question. */
function LeaveButton({ name, onLeave }: { name: string; onLeave: () => Promise<unknown> }) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const leave = async () => {
    setAsked(false)
    await onLeave()
    await navigate({ to: '/' })
  }
  return (
    <div>
      <Button variant="danger-ghost" onClick={() => setAsked(true)}>
        {t('members.leave')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('members.leave_title', { name })}
        message={t('members.leave_text')}
        confirmLabel={t('members.leave')}
        onConfirm={() => void leave().catch(() => undefined)}
      />
    </div>
  )
}
