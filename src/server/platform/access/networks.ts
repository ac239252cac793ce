import type { Kysely } from 'kysely'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { contains, type Network, parseAddress, parseNetwork } from '#shared/identity/networks/ip.ts'
import type { Restricts } from '#shared/identity/networks/networks.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../db/tables.ts'
import { createCachedTable, type Notifications } from './cached-table.ts'
import { readNetworks } from './network-store.ts'
import type { Outside } from './principal.ts'

type Affiliated = Pick<User, 'company_affiliations'>

/** Decides from which addresses the people of a company may act. No other module makes this decision. */
export type Networks = {
  /**
   * Returns a person who acts from an address. `outside` names the companies whose administration is closed to the address.
   * Super admins may act from everywhere.
   * @throws AppError `outside_networks` if a company of the person restricts signing in to other networks
   */
  admit: <P extends Affiliated>(person: P, address: string) => Promise<P & { outside?: Outside }>
  /** Drops the cached networks after a local change; the database notifies other processes. */
  forget: () => void
  /** Calls back after each change of networks. */
  onChanged: (callback: () => void) => void
}

type Needs = Notifications & { db: Kysely<Tables> }

/** Channel for changes of networks (migrations/0540_company_networks.sql). */
const channel = 'atrium_networks'

type Lists = Record<Restricts, Network[]>
type Table = ReadonlyMap<string, Lists>

export function createNetworks({ db, ...notifications }: Needs): Networks {
  const callbacks: (() => void)[] = []
  const table = createCachedTable(notifications, {
    ...{ channel, warning: 'Networks are read with every call.' },
    read: async (): Promise<Table> => group(await readNetworks(db)),
    onChanged: () => {
      table.forget()
      for (const callback of callbacks) callback()
    },
  })
  return {
    admit: async (person, address) => {
      const known = await table.read()
      return known.size === 0 ? person : admit(known, person, address)
    },
    forget: table.forget,
    onChanged: (callback) => void callbacks.push(callback),
  }
}

function admit<P extends Affiliated>(known: Table, person: P, given: string): P & { outside?: Outside } {
  const own = person.company_affiliations
  if (own.some(({ role }) => role.name === 'super_admin')) return person
  const address = parseAddress(given)
  const isOutside = (companyId: string, restricts: Restricts) => {
    const list = known.get(companyId)?.[restricts] ?? []
    return list.length > 0 && !(address && list.some((network) => contains(network, address)))
  }
  const closed = own.find(({ company }) => isOutside(company.id, 'sign_in'))
  if (closed) throw outsideNetworks(closed.company.name, given)
  const companies = own.filter(
    ({ company, role }) => role.name !== 'member' && isOutside(company.id, 'administration'),
  )
  if (companies.length === 0) return person
  return { ...person, outside: { companies: companies.map(({ company }) => company.id), address: given } }
}

function outsideNetworks(company: string, address: string): AppError {
  return new AppError(
    'outside_networks',
    `${company} can be used only from the networks that its administrators allow. Your address is ${address}.`,
  )
}

function group(rows: Awaited<ReturnType<typeof readNetworks>>): Table {
  const table = new Map<string, Lists>()
  for (const { company_id, restricts, network } of rows) {
    const parsed = parseNetwork(network)
    if (!parsed) continue
    const lists = table.get(company_id) ?? { sign_in: [], administration: [] }
    lists[restricts].push(parsed)
    table.set(company_id, lists)
  }
  return table
}
