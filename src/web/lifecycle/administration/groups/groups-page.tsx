import { Pencil, Plus, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { GROUPS_LIMIT, type Group } from '#shared/identity/administration/groups.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { GroupNameDialog } from './group-name-dialog.tsx'
import { GroupPeopleDialog } from './group-people-dialog.tsx'
import { useDeleteGroup, useGroups } from './use-groups.ts'

type Asked = { what: 'people' | 'name' | 'delete'; id: string } | { what: 'new' }

/** Groups of users within companies. */
export function GroupsPage() {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, isPending, refetch } = useGroups(page)
  const close = () => setAsked(null)
  const deleting = useDeleteGroup(close)
  const opened = asked && asked.what !== 'new' ? data?.items.find(({ id }) => id === asked.id) : undefined
  return (
    <>
      <AdminHead title={t('administration.page.groups')} count={data?.total}>
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="icon" />}
          onClick={() => setAsked({ what: 'new' })}
        >
          {t('administration.groups.new')}
        </Button>
      </AdminHead>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState icon={<Users aria-hidden />} title={t('administration.groups.empty')}>
          {t('administration.groups.empty_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {data.items.map((group) => (
            <GroupRow key={group.id} group={group} onAsk={(what) => setAsked({ what, id: group.id })} />
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
      {asked?.what === 'new' && <GroupNameDialog group={null} onClose={close} />}
      {opened && asked?.what === 'name' && <GroupNameDialog group={opened} onClose={close} />}
      {opened && asked?.what === 'people' && <GroupPeopleDialog group={opened} onClose={close} />}
      {opened && asked?.what === 'delete' && (
        <ConfirmDialog
          open
          onOpenChange={(open) => open || close()}
          title={t('administration.groups.delete_title', { name: opened.name })}
          message={t('administration.groups.delete_message')}
          confirmLabel={t('administration.groups.delete')}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate(opened.id)}
        />
      )}
    </>
  )
}

function GroupRow({ group, onAsk }: { group: Group; onAsk: (what: 'people' | 'name' | 'delete') => void }) {
  const { t } = useTranslation('admin')
  const { name } = group
  return (
    <li className="flex items-center gap-3 py-2 pr-2 pl-4">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-12 text-ink-3">
          {group.from_directory
            ? t('administration.groups.from_directory', { company: group.company.name })
            : group.company.name}
        </span>
      </span>
      <span className="num text-13 text-ink-2">
        {t('administration.people', { count: group.people, shown: formatNumber(group.people) })}
      </span>
      <IconButton
        name={t('administration.groups.people_of', { name })}
        size="sm"
        onClick={() => onAsk('people')}
      >
        <Users aria-hidden className="icon-14" />
      </IconButton>
      {!group.from_directory && (
        <>
          <IconButton name={t('administration.rename', { name })} size="sm" onClick={() => onAsk('name')}>
            <Pencil aria-hidden className="icon-14" />
          </IconButton>
          <IconButton
            name={t('administration.groups.delete_of', { name })}
            size="sm"
            onClick={() => onAsk('delete')}
          >
            <Trash2 aria-hidden className="icon-14" />
          </IconButton>
        </>
      )}
    </li>
  )
}
