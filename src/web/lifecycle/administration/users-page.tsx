import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { InvitationsTable } from './joining/invitations-table.tsx'
import { InviteDialog } from './joining/invite-dialog.tsx'
import { useInvitations } from './joining/use-invitations.ts'
import { PeopleTable } from './people/people-table.tsx'
import { UserFilters } from './people/user-filters.tsx'
import { type UserFilter, useManagedUsers } from './use-managed.ts'

/** Users the administrator manages, and pending invitations. */
export function UsersPage() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { tab = 'people' } = useSearch({ strict: false }) as { tab?: string }
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const [filter, setFilter] = useState<UserFilter>({})
  const people = useManagedUsers(typed, page, filter)
  const [invitationsPage, setInvitationsPage] = useState(1)
  const invitations = useInvitations(invitationsPage)
  const isPeople = tab !== 'invitations'
  const show = (next: string) =>
    void navigate({ to: '/admin', search: { page: 'users', tab: next } as never, replace: true })
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.users')}</h2>
        {people.data && <span className="num text-14 text-ink-3">{formatNumber(people.data.total)}</span>}
        <span className="flex-1" />
        {isPeople && (
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
        )}
        <Button
          variant="primary"
          icon={<UserPlus aria-hidden className="icon" />}
          onClick={() => setInviting(true)}
        >
          {t('administration.invitations.invite')}
        </Button>
      </div>
      <Tabs
        name={t('administration.page.users')}
        value={isPeople ? 'people' : 'invitations'}
        onValueChange={show}
        className="grid gap-4"
        tabs={[
          {
            value: 'people',
            label: t('administration.all_people'),
            content: (
              <>
                <UserFilters
                  filter={filter}
                  onChange={(next) => {
                    setFilter(next)
                    setPage(1)
                  }}
                />
                <PeopleTable people={people} typed={typed} page={page} onPage={setPage} />
              </>
            ),
          },
          {
            value: 'invitations',
            label: t('administration.invitations.title'),
            ...(invitations.data ? { count: invitations.data.open } : {}),
            content: (
              <InvitationsTable
                invitations={invitations}
                page={invitationsPage}
                onPage={setInvitationsPage}
              />
            ),
          },
        ]}
      />
      <InviteDialog
        open={isInviting}
        onOpenChange={setInviting}
        onInvited={() => {
          setInvitationsPage(1)
          show('invitations')
        }}
      />
    </>
  )
}
