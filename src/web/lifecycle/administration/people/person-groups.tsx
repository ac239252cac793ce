import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { ManagedUserDetails } from '#shared/identity/administration/administration.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useSettled } from '../../../platform/lib/api/use-settled.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Popover } from '../../../platform/ui/overlays/popover.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { readAgain } from '../use-managed.ts'
import { setInGroup, useMatchingGroups } from './use-person.ts'

/** The groups of a person. Groups of a directory are changed there. */
export function PersonGroups({ person }: { person: ManagedUserDetails }) {
  const { t } = useTranslation('admin')
  const changing = useMutation({
    mutationFn: ({ groupId, isIn }: { groupId: string; isIn: boolean }) =>
      setInGroup(groupId, person.id, isIn),
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: readAgain,
  })
  const companyOf = (id: string) => person.companies.find((company) => company.id === id)?.name ?? ''
  return (
    <>
      {person.groups.length === 0 && (
        <p className="text-13 text-ink-3">{t('administration.person.no_group')}</p>
      )}
      <ul className="flex flex-wrap gap-1.5 empty:hidden">
        {person.groups.map(({ id, name, company_id, from_directory }) => (
          <li
            key={id}
            title={companyOf(company_id)}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-pill border border-line-2 pr-1 pl-2.5 text-13"
          >
            <span className="truncate pr-1.5">{name}</span>
            {!from_directory && (
              <button
                type="button"
                aria-label={t('administration.person.leave_group', { group: name })}
                className="hover-motion grid size-5 flex-none place-items-center rounded-pill text-ink-3 hover:bg-surface-2 hover:text-ink"
                onClick={() => changing.mutate({ groupId: id, isIn: false })}
              >
                <X aria-hidden className="icon-12" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {person.companies.length > 0 && (
        <GroupChoice person={person} onChoose={(groupId) => changing.mutate({ groupId, isIn: true })} />
      )}
    </>
  )
}

function GroupChoice({
  person,
  onChoose,
}: {
  person: ManagedUserDetails
  onChoose: (groupId: string) => void
}) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Popover
        name={t('administration.person.add_group')}
        open={isOpen}
        onOpenChange={setOpen}
        className="w-[300px] p-0!"
        trigger={
          <Button size="sm" icon={<Plus aria-hidden className="icon-14" />}>
            {t('administration.person.add_group')}
          </Button>
        }
      >
        <GroupList
          person={person}
          onChoose={(id) => {
            setOpen(false)
            onChoose(id)
          }}
        />
      </Popover>
    </div>
  )
}

function GroupList({
  person,
  onChoose,
}: {
  person: ManagedUserDetails
  onChoose: (groupId: string) => void
}) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { data = [], isPending } = useMatchingGroups(useSettled(typed.trim()))
  const isOwn = (companyId: string) => person.companies.some(({ id }) => id === companyId)
  const offered = data.filter(
    ({ id, company, from_directory }) =>
      !from_directory && isOwn(company.id) && !person.groups.some((group) => group.id === id),
  )
  return (
    <>
      <div className="border-b border-line p-2">
        <Input
          autoFocus
          type="search"
          quiet
          aria-label={t('administration.person.find_group')}
          placeholder={t('administration.person.find_group')}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <ul className="max-h-64 overflow-y-auto p-1">
        {offered.map(({ id, name, company }) => (
          <li key={id}>
            <button
              type="button"
              className="hover-motion flex min-h-8 w-full items-baseline gap-2 rounded-control px-2 py-1 text-start hover:bg-surface-2 max-md:min-h-11"
              onClick={() => onChoose(id)}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="truncate text-12 text-ink-3">{company.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {!isPending && offered.length === 0 && (
        <p className="px-3 pb-3 text-ink-3">{t('administration.person.no_other_group')}</p>
      )}
    </>
  )
}
