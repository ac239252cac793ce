import { Search, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { GROUPS_LIMIT, type Group, type GroupMember } from '#shared/identity/administration/groups.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedUsers } from '../use-managed.ts'
import { useChangeMember, useGroupMembers } from './use-groups.ts'

/** Maximum number of suggested users. */
const OFFERED = 8

/** Members of a group, with a search that adds users of the same company. */
export function GroupPeopleDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const { data, error, isPending, refetch } = useGroupMembers(group.id, page)
  const found = useManagedUsers(typed, 1, { company_id: group.company.id })
  const change = useChangeMember(group.id)
  const isFixed = group.from_directory
  const isIn = (id: string) => data?.items.some((one) => one.id === id) ?? false
  const offered = typed.trim() ? (found.data?.items.filter(({ id }) => !isIn(id)) ?? []) : []
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('administration.groups.people_of', { name: group.name })}
      description={group.company.name}
    >
      <div className="grid gap-3">
        {isFixed ? (
          <p className="text-13 text-ink-2">{t('administration.groups.change_there')}</p>
        ) : (
          <Input
            type="search"
            icon={<Search aria-hidden />}
            aria-label={t('administration.groups.find')}
            placeholder={t('administration.groups.find')}
            maxLength={200}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        {typed.trim() !== '' && found.data && offered.length === 0 && (
          <p className="text-13 text-ink-3">{t('administration.nobody', { query: typed.trim() })}</p>
        )}
        {offered.length > 0 && (
          <ul className="admin-card divide-y divide-line">
            {offered.slice(0, OFFERED).map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isIn={false}
                onChange={() => change.mutate({ memberId: person.id, isIn: true })}
              />
            ))}
          </ul>
        )}
        {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
        {error && <ReadFailed error={error} onRetry={refetch} />}
        {data?.total === 0 && <p className="text-13 text-ink-3">{t('administration.groups.nobody')}</p>}
        {data && data.items.length > 0 && (
          <ul className="admin-card divide-y divide-line">
            {data.items.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                isIn
                onChange={isFixed ? null : () => change.mutate({ memberId: person.id, isIn: false })}
              />
            ))}
          </ul>
        )}
        {data && (
          <Pages
            page={page}
            limit={GROUPS_LIMIT}
            shown={data.items.length}
            total={data.total}
            onPage={setPage}
          />
        )}
      </div>
    </Dialog>
  )
}

type PersonRowProps = { person: GroupMember; isIn: boolean; onChange: (() => void) | null }

function PersonRow({ person, isIn, onChange }: PersonRowProps) {
  const { t } = useTranslation('admin')
  const name = person.full_name?.trim() || person.username
  const Icon = isIn ? UserMinus : UserPlus
  return (
    <li className="flex items-center gap-3 py-2 pr-2 pl-4">
      <Avatar name={name} pictureId={null} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-12 text-ink-3">{person.email}</span>
      </span>
      {onChange && (
        <IconButton
          name={t(isIn ? 'administration.groups.remove' : 'administration.groups.add', { name })}
          size="sm"
          onClick={onChange}
        >
          <Icon aria-hidden className="icon-14" />
        </IconButton>
      )}
    </li>
  )
}
