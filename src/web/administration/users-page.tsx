import { ChevronLeft, ChevronRight, Search, UserX } from 'lucide-react'
import { useState } from 'react'
import { USERS_LIMIT } from '#shared/administration/administration.ts'
import { errorText } from '../i18n/error-text.ts'
import { formatNumber } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { useManagedUsers } from './use-managed.ts'
import { UserRow } from './user-row.tsx'

/** The people somebody administers: who they are, what they may, and what is left of their money. */
export function UsersPage() {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useManagedUsers(typed, page)
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / USERS_LIMIT))
  const hasBalance = data?.items.some(({ balance }) => balance !== null) ?? false
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.users')}</h2>
        {data && <span className="num text-14 text-ink-3">{formatNumber(data.total)}</span>}
        <span className="flex-1" />
        <Input
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('administration.search')}
          placeholder={t('administration.search')}
          maxLength={200}
          value={typed}
          className="admin-search"
          onChange={({ target }) => {
            setTyped(target.value)
            setPage(1)
          }}
        />
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />}
      {error && (
        <Callout
          tone="danger"
          title={t('administration.failed')}
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('models.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
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
      {data && data.total > USERS_LIMIT && (
        <div className="admin-pages num">
          <span>
            {t('administration.range', {
              first: formatNumber((page - 1) * USERS_LIMIT + 1),
              last: formatNumber((page - 1) * USERS_LIMIT + data.items.length),
              total: formatNumber(data.total),
            })}
          </span>
          <span className="flex-1" />
          <IconButton
            name={t('administration.previous')}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            <ChevronLeft aria-hidden className="icon" />
          </IconButton>
          <span>
            {page} / {pages}
          </span>
          <IconButton
            name={t('administration.next')}
            disabled={!data.has_more}
            onClick={() => setPage(page + 1)}
          >
            <ChevronRight aria-hidden className="icon" />
          </IconButton>
        </div>
      )}
    </>
  )
}
