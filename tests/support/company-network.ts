import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'
import type { Restricts } from '../../src/shared/identity/networks/networks.ts'

type Wish = { restricts?: Restricts; network?: string }

/** Restricts a company to a network and returns its id. */
export async function aNetwork(
  { deps }: { deps: Pick<AllDeps, 'db' | 'networks'> },
  companyId: string,
  { restricts = 'administration', network = '127.0.0.0/8' }: Wish = {},
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into company_networks (company_id, restricts, network, note, created_at)
    values (${companyId}, ${restricts}, ${network}::cidr, '', clock_timestamp()) returning id`.execute(
    deps.db,
  )
  deps.networks.forget()
  return rows[0]?.id ?? ''
}
