import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ManagedUserDetails } from '#shared/identity/administration/administration.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { DeletePerson } from '../../erasure/erasure.tsx'
import { OpenChatsDialog } from '../accesses/open-chats-dialog.tsx'
import { readAgain, useChangeUser } from '../use-managed.ts'
import { HelpDialog } from './help-dialog.tsx'
import { type Help, useHelping } from './use-helping.ts'

type PersonAccessProps = { person: ManagedUserDetails; onDeleted: () => void }

/** How a person gets in, and what an administrator can do about it; deactivating and deleting come last. */
export function PersonAccess({ person, onDeleted }: PersonAccessProps) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const me = useMe()
  const isSelf = person.id === me?.id
  const { mutate } = useChangeUser()
  const helping = useHelping()
  const [asked, setAsked] = useState<Help | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const [isOpening, setOpening] = useState(false)
  const name = person.full_name?.trim() || person.username
  const help = (one: Help) => helping.mutate({ user: person, help: one })
  const act = (one: Help) => t(`administration.help.${one}.act`)
  return (
    <>
      <Line
        label={t('administration.person.sign_ins', { count: person.sign_ins })}
        hint={
          person.last_used_at
            ? t('administration.person.last_used', { date: formatDate(person.last_used_at) })
            : t('administration.person.never_used')
        }
      >
        <Button size="sm" disabled={person.sign_ins === 0} onClick={() => setAsked('sign_out')}>
          {act('sign_out')}
        </Button>
      </Line>
      <Line label={t('administration.person.password')}>
        <Button size="sm" onClick={() => help('password')}>
          {act('password')}
        </Button>
      </Line>
      {!person.verified && (
        <Line label={t('administration.person.unverified')}>
          <Button size="sm" onClick={() => help('verification')}>
            {act('verification')}
          </Button>
        </Line>
      )}
      {person.has_second_factor && (
        <Line label={t('administration.person.second_step')}>
          <Button size="sm" onClick={() => setAsked('second_factor')}>
            {act('second_factor')}
          </Button>
        </Line>
      )}
      <Line label={t('administration.beta_access')}>
        <Switch
          aria-label={t('administration.beta_access')}
          checked={person.beta_access}
          onCheckedChange={(beta_access) => mutate({ user: person, changes: { beta_access } })}
        />
      </Line>
      {!isSelf && (
        <>
          {isSuperAdmin(me) && (
            <Line label={t('administration.person.chats')}>
              <Button size="sm" onClick={() => setOpening(true)}>
                {t('administration.accesses.open_entry')}
              </Button>
            </Line>
          )}
          <Line label={t('administration.person.address')}>
            <Button size="sm" onClick={() => setAsked('release')}>
              {act('release')}
            </Button>
          </Line>
          <div className="mt-2 flex flex-wrap gap-2 border-t border-line pt-4">
            {person.is_active ? (
              <Button variant="danger" onClick={() => setAsked('deactivate')}>
                {act('deactivate')}
              </Button>
            ) : (
              <Button onClick={() => help('reactivate')}>{act('reactivate')}</Button>
            )}
            <Button variant="danger-ghost" onClick={() => setDeleting(true)}>
              {t('erasure:person.action')}
            </Button>
          </div>
        </>
      )}
      {asked && <HelpDialog user={person} help={asked} onClose={() => setAsked(null)} />}
      {isDeleting && (
        <DeletePerson
          person={{ id: person.id, name, email: person.email }}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            onDeleted()
            void readAgain()
          }}
        />
      )}
      {isOpening && (
        <OpenChatsDialog
          user={person}
          onClose={() => setOpening(false)}
          onOpened={() => void navigate({ to: '/admin', search: { page: 'accesses' } as never })}
        />
      )}
    </>
  )
}

function Line({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center gap-3">
      <span className="min-w-0 flex-1 text-13">
        {label}
        {hint && <span className="block text-12 text-ink-3">{hint}</span>}
      </span>
      {children}
    </div>
  )
}
