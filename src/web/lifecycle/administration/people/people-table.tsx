import { UserX } from 'lucide-react'
import { type ManagedUser, USERS_LIMIT } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminTable } from '../admin-table.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import type { useManagedUsers } from '../use-managed.ts'
import { UserRow } from './user-row.tsx'

type PeopleTableProps = {
  people: ReturnType<typeof useManagedUsers>
  typed: string
  page: number
  onPage: (page: number) => void
  /** Selected people by id; the selection survives a change of page. */
  selected: ReadonlyMap<string, ManagedUser>
  onSelect: (users: ManagedUser[], isSelected: boolean) => void
  onOpen: (userId: string) => void
}

/** Users with their roles, states and balances. */
export function PeopleTable({ people, typed, page, onPage, selected, onSelect, onOpen }: PeopleTableProps) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = people
  const shown = data?.items ?? []
  const count = shown.filter(({ id }) => selected.has(id)).length
  const hasBalance = data?.items.some(({ balance }) => balance !== null) ?? false
  return (
    <>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState
          icon={<UserX aria-hidden />}
          title={
            typed.trim()
              ? t('administration.nobody', { query: typed.trim() })
              : t('administration.nobody_here')
          }
        />
      )}
      {data && data.items.length > 0 && (
        <AdminTable
          columns={[
            t('administration.column.user'),
            t('administration.column.company'),
            t('administration.column.status'),
            ...(hasBalance ? [t('administration.column.balance')] : []),
            t('administration.column.last_used'),
          ]}
          actions={t('administration.column.actions')}
          className="with-checks"
          selection={
            <span className="flex items-center gap-3">
              <Checkbox
                aria-label={t('administration.bulk.select_page')}
                checked={count === shown.length}
                mixed={count > 0 && count < shown.length}
                onCheckedChange={(isOn) => onSelect(shown, isOn)}
              />
              <span aria-hidden className="xl:hidden">
                {t('administration.bulk.select_page')}
              </span>
            </span>
          }
        >
          {data.items.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              hasBalance={hasBalance}
              isSelected={selected.has(user.id)}
              onSelect={(isOn) => onSelect([user], isOn)}
              onOpen={() => onOpen(user.id)}
            />
          ))}
        </AdminTable>
      )}
      {data && (
        <Pages page={page} limit={USERS_LIMIT} shown={data.items.length} total={data.total} onPage={onPage} />
      )}
    </>
  )
}
