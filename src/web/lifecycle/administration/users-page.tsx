import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, FileUp, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { AdminSearch } from './admin-search.tsx'
import { ImportDialog } from './joining/import-dialog.tsx'
import { InvitationsTable } from './joining/invitations-table.tsx'
import { InviteDialog } from './joining/invite-dialog.tsx'
import { useInvitations } from './joining/use-invitations.ts'
import { PeopleTab } from './people/people-tab.tsx'
import { PersonPanel } from './people/person-panel.tsx'
import { readEverybody, savePeople } from './people/save-people.ts'
import { UserFilters } from './people/user-filters.tsx'
import { type UserFilter, useManagedUsers, userQuery } from './use-managed.ts'

/** Users the administrator manages, and pending invitations. */
export function UsersPage() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { tab = 'people', person } = useSearch({ strict: false }) as { tab?: string; person?: string }
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [filter, setFilter] = useState<UserFilter>({})
  const people = useManagedUsers(typed, page, filter)
  const [invitationsPage, setInvitationsPage] = useState(1)
  const invitations = useInvitations(invitationsPage)
  const saving = useMutation({
    mutationFn: async () => savePeople(t, await readEverybody(userQuery(typed.trim(), filter))),
    onError: (error) => toast.error(errorText(t, error)),
  })
  const isPeople = tab !== 'invitations'
  const show = (next: string) =>
    void navigate({ to: '/admin', search: { page: 'users', tab: next } as never, replace: true })
  const openPerson = (id: string | null) =>
    void navigate({
      to: '/admin',
      search: { page: 'users', tab: 'people', ...(id && { person: id }) } as never,
      replace: true,
    })
  const showInvitations = () => {
    setInvitationsPage(1)
    show('invitations')
  }
  return (
    <>
      <div className="admin-head">
        <h2>{t('administration.page.users')}</h2>
        {people.data && <span className="num text-14 text-ink-3">{formatNumber(people.data.total)}</span>}
        <span className="flex-1" />
        {isPeople && (
          <AdminSearch
            label={t('administration.search')}
            value={typed}
            onSearch={(next) => {
              setTyped(next)
              setPage(1)
            }}
          />
        )}
        {isPeople && (
          <Button
            icon={<Download aria-hidden className="icon" />}
            busy={saving.isPending}
            onClick={() => saving.mutate()}
          >
            {t('administration.export')}
          </Button>
        )}
        <Button icon={<FileUp aria-hidden className="icon" />} onClick={() => setImporting(true)}>
          {t('administration.import_people')}
        </Button>
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
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
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
                <PeopleTab people={people} typed={typed} page={page} onPage={setPage} onOpen={openPerson} />
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
      <InviteDialog open={isInviting} onOpenChange={setInviting} onInvited={showInvitations} />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} onInvited={showInvitations} />}
      {person && <PersonPanel key={person} userId={person} onClose={() => openPerson(null)} />}
    </>
  )
}
