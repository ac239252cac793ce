import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'
import type { Restricts } from '../../src/shared/identity/networks/networks.ts'

type App = { deps: Pick<AllDeps, 'db' | 'networks'> }
type Wish = { restricts?: Restricts; network?: string }

/** Restricts a company to a network and returns its id. */
export async function aNetwork(
  { deps }: App,
  companyId: string,
  { restricts = 'administration', network = '127.0.0.0/8' }: Wish = {},
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into company_networks (company_id, restricts, network, note, created_at)
    values (${companyId}, ${restricts}, ${network}::cidr, '', clock_timestamp())
    on conflict (company_id, restricts, network) do update set note = '' returning id`.execute(deps.db)
  deps.networks.forget()
  return rows[0]?.id ?? ''
}

/** Adds a network besides the one that contains the callers of the tests. */
export async function aSpareNetwork(app: App, companyId: string): Promise<string> {
  await aNetwork(app, companyId)
  // The number of networks is limited.
  await sql`delete from company_networks where id in (select id from company_networks
    where company_id = ${companyId} and network <<= 'fd00::/8' order by created_at desc offset 100)`.execute(
    app.deps.db,
  )
  return aNetwork(app, companyId, { network: `fd00::${randomBytes(2).toString('hex')}` })
}
