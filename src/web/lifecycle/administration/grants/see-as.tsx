import { CircleCheck, CircleSlash, User, X } from 'lucide-react'
import { useState } from 'react'
import type { PersonalDecision, ThingKind } from '#shared/identity/grants/grants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Avatar } from '../../../platform/ui/avatar.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { useManagedUsers } from '../use-managed.ts'
import { nameOfThing, whyOf } from './grant-words.ts'
import { usePersonalDecisions } from './use-grants.ts'

type Chosen = { id: string; name: string }
type SeeAsProps = { kind: ThingKind; typed: string }

/** Maximum number of suggested users. */
const OFFERED = 6

/** Shows what one user may use, with the deciding grant. */
export function SeeAs(shown: SeeAsProps) {
  const { t } = useTranslation('admin')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (chosen) return <Decisions person={chosen} onClose={() => setChosen(null)} {...shown} />
  return (
    <aside aria-label={t('grants.see_as')}>
      <PersonChoice onChoose={setChosen} />
    </aside>
  )
}

function PersonChoice({ onChoose }: { onChoose: (person: Chosen) => void }) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { data } = useManagedUsers(typed, 1)
  const found = typed.trim() ? (data?.items.slice(0, OFFERED) ?? []) : []
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        icon={<User aria-hidden />}
        aria-label={t('grants.see_as')}
        placeholder={t('grants.see_as')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {typed.trim() !== '' && data?.items.length === 0 && (
        <p className="text-13 text-ink-3">{t('administration.nobody', { query: typed.trim() })}</p>
      )}
      {found.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {found.map(({ id, full_name, username, email }) => {
            const name = full_name?.trim() || username
            return (
              <li key={id}>
                <button
                  type="button"
                  className="grants-person hover-motion"
                  onClick={() => onChoose({ id, name })}
                >
                  <span className="block truncate font-medium">{name}</span>
                  <span className="block truncate text-12 text-ink-3">{email}</span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

function Decisions({ person, kind, typed, onClose }: SeeAsProps & { person: Chosen; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = usePersonalDecisions(person.id, kind, typed)
  const standing = data?.standing.map(({ company, role, groups }) =>
    [company, t(`administration.role.${role}`), ...groups].join(', '),
  )
  return (
    <aside aria-label={t('grants.see_as')} className="admin-card grants-card">
      <div className="flex items-center gap-3">
        <Avatar name={person.name} pictureId={null} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{person.name}</span>
          {standing && (
            <span className="block text-12 text-ink-3">{standing.join(' · ') || t('grants.no_company')}</span>
          )}
        </span>
        <IconButton name={t('grants.stop_seeing', { name: person.name })} size="sm" onClick={onClose}>
          <X aria-hidden className="icon-14" />
        </IconButton>
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data && <Side decisions={data.items} may />}
      {data && <Side decisions={data.items} may={false} />}
      {data?.has_more && (
        <p className="text-12 text-ink-3">{t('grants.first', { count: data.items.length })}</p>
      )}
      <p className="text-12 text-ink-3">{t('grants.personal')}</p>
    </aside>
  )
}

/** List of things the user may or may not use, each with its deciding grant. */
function Side({ decisions, may }: { decisions: readonly PersonalDecision[]; may: boolean }) {
  const { t } = useTranslation('admin')
  const found = decisions.filter((one) => one.may === may)
  const Icon = may ? CircleCheck : CircleSlash
  if (found.length === 0) return null
  return (
    <section>
      <h3 className="grants-side" data-may={may}>
        <Icon aria-hidden className="icon-14" />
        {t(may ? 'grants.may' : 'grants.may_not', { count: found.length })}
      </h3>
      <dl>
        {found.map((one) => (
          <div key={one.id} className="grants-why">
            <dt>{nameOfThing(t, one)}</dt>
            <dd>{whyOf(t, one)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
