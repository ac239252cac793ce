import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { useSources } from './use-connectors.ts'

export type OwnCompany = { id: string; name: string }

/** Returns the companies that the person administers, and the sources that they may connect for one of them or for themselves. */
export function useConnectable(): {
  companies: OwnCompany[]
  connectable: Source[]
  mayAddPersonal: boolean
} {
  const me = useMe()
  const { data } = useSources()
  const companies = (me?.company_affiliations ?? [])
    .filter(({ role }) => role.name !== 'member')
    .map(({ company: { id, name } }) => ({ id, name }))
  const mayAddPersonal = data?.can_add_personal ?? false
  const connectable = (data?.items ?? []).filter(
    ({ personal }) => companies.length > 0 || (personal && mayAddPersonal),
  )
  return { companies, connectable, mayAddPersonal }
}
