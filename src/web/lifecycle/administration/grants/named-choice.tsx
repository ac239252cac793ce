import { Search } from 'lucide-react'
import { useState } from 'react'
import type { GrantedThing, Who } from '#shared/identity/grants/grants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { nameOfGrant } from './grant-words.ts'
import { keyOf, type Said } from './said.ts'
import { useGroupsNamed } from './use-grants.ts'

type NamedChoiceProps = {
  thing: GrantedThing
  decidedBy: string | null
  said: Said
  onSay: (who: Who, effect: 'allow' | 'refuse' | null) => void
}
type Offered = { who: Who; name: string; detail: string | null }

/** Maximum number of suggestions. */
const OFFERED = 40
const roles = ['member', 'company_admin', 'super_admin'] as const

/** Searches roles, companies and groups, and allows or refuses each. Existing grants come first. */
export function NamedChoice({ thing, decidedBy, said, onSay }: NamedChoiceProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { offered, isMore } = useOffered(typed, decidedBy)
  const named = useNamed(thing, said).filter(
    ({ who }) => !offered.some((one) => keyOf(one.who) === keyOf(who)),
  )
  const shown = [...named, ...offered.filter(isSaid), ...offered.filter((one) => !isSaid(one))]
  function isSaid({ who }: Offered) {
    return said.has(keyOf(who))
  }
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        icon={<Search aria-hidden />}
        aria-label={t('grants.find')}
        placeholder={t('grants.find')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {shown.length === 0 && <p className="text-13 text-ink-3">{t('grants.no_match')}</p>}
      {shown.length > 0 && (
        <ul className="admin-card divide-y divide-line">
          {shown.slice(0, OFFERED).map(({ who, name, detail }) => (
            <li key={keyOf(who)} className="flex items-center gap-3 py-2 pr-2 pl-4">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                {detail && <span className="block truncate text-12 text-ink-3">{detail}</span>}
              </span>
              <Select
                size="sm"
                aria-label={name}
                value={said.get(keyOf(who))?.effect ?? ''}
                options={[
                  { value: '', label: t('grants.state.none') },
                  { value: 'allow', label: t('grants.state.allow') },
                  { value: 'refuse', label: t('grants.state.refuse') },
                ]}
                onValueChange={(value) => onSay(who, value === 'allow' || value === 'refuse' ? value : null)}
              />
            </li>
          ))}
        </ul>
      )}
      {(isMore || shown.length > OFFERED) && <p className="text-12 text-ink-3">{t('grants.more')}</p>}
    </div>
  )
}

/** Returns the subjects a decider may name that match the search text. */
function useOffered(typed: string, decidedBy: string | null): { offered: Offered[]; isMore: boolean } {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  const own = companies.find(({ id }) => id === decidedBy)
  const { data: groups } = useGroupsNamed(own ? `${typed} ${own.name}` : typed)
  const fits = (name: string) => name.toLowerCase().includes(typed.trim().toLowerCase())
  const people = (count: number) => t('administration.people', { count, shown: count })
  const offered: Offered[] = [
    ...roles.map((id) => ({ who: { who: 'role' as const, id }, name: t(`grants.role.${id}`), detail: null })),
    ...(decidedBy === null ? companies : []).map(({ id, name, people: count }) => ({
      ...{ who: { who: 'company' as const, id }, name, detail: people(count) },
    })),
    ...(groups?.items ?? [])
      .filter(({ company }) => decidedBy === null || company.id === decidedBy)
      .map(({ id, name, company, people: count }) => ({
        ...{ who: { who: 'group' as const, id }, name, detail: `${company.name} · ${people(count)}` },
      })),
  ]
  return {
    offered: offered.filter(({ name, detail }) => fits(`${name} ${detail ?? ''}`)),
    isMore: groups?.has_more ?? false,
  }
}

/** Returns the subjects that already have a grant, with their names. */
function useNamed({ grants }: GrantedThing, said: Said): Offered[] {
  const { t } = useTranslation('admin')
  return [...said.values()].flatMap(({ who }) => {
    const grant = grants.find((one) => keyOf(one) === keyOf(who))
    return who.who === 'nobody' || !grant ? [] : [{ who, name: nameOfGrant(t, grant), detail: null }]
  })
}
