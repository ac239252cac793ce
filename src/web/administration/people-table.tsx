import { UserX } from 'lucide-react'
import { USERS_LIMIT } from '#shared/administration/administration.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { Pages } from './pages.tsx'
import { ReadFailed } from './read-failed.tsx'
import type { useManagedUsers } from './use-managed.ts'
import { UserRow } from './user-row.tsx'

type PeopleTableProps = {
  people: ReturnType<typeof useManagedUsers>
  typed: string
  page: number
  onPage: (page: number) => void
}

/** Who the people are, what they may, and what is left of their money. */
export function PeopleTable({ people, typed, page, onPage }: PeopleTableProps) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = people
  const hasBalance = data?.items.some(({ balance }) => balance !== null) ?? false
  return (
    <>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState
          icon={<UserX aria-hidden />}
          title={t('administration.nobody', { query: typed.trim() })}
        />
      )}
      {data && data.items.length > 0 && (
        <div className="admin-card">
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">{t('administration.column.user')}</th>
                <th scope="col">{t('administration.column.company')}</th>
                <th scope="col">{t('administration.column.status')}</th>
                {hasBalance && <th scope="col">{t('administration.column.balance')}</th>}
                <th scope="col">{t('administration.column.last_used')}</th>
                <th scope="col">
                  <span className="sr-only">{t('administration.column.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((user) => (
                <UserRow key={user.id} user={user} hasBalance={hasBalance} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && (
        <Pages page={page} limit={USERS_LIMIT} shown={data.items.length} total={data.total} onPage={onPage} />
      )}
    </>
  )
}
