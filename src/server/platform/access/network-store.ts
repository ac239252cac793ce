import { type Kysely, sql } from 'kysely'
import type { Restricts } from '#shared/identity/networks/networks.ts'
import type { Tables } from '../db/tables.ts'

export type StoredNetwork = { company_id: string; restricts: Restricts; network: string }

/** Reads the networks of all companies. Each process caches them and reads them again after a change. */
export async function readNetworks(db: Kysely<Tables>): Promise<StoredNetwork[]> {
  const { rows } = await sql<StoredNetwork>`
    select company_id, restricts, network::text as network from company_networks
    order by company_id, id limit 1000000`.execute(db)
  return rows
}
