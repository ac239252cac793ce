import { type Kysely, sql } from 'kysely'
import {
  RETENTION_CHOICES,
  RetainedKind,
  type RetentionRule,
  type RetentionState,
} from '#shared/lifecycle/retention/retention.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { olderThan } from './due-store.ts'

type Db = Kysely<Tables>
/** A company, or null for the installation. */
type Scope = string | null

type Row = { kind: RetainedKind; company_id: string | null; days: number | null }

/** The rules of the installation or a company, each with what is how old of those it holds for. */
export async function readRules(db: Db, companyId: Scope, now: Date): Promise<RetentionState[]> {
  const rules = await listRules(db, companyId)
  return Promise.all(
    rules.map(async (rule) => {
      const days = [...new Set([...RETENTION_CHOICES, ...[rule.days, rule.house_days].filter(isNumber)])]
      days.sort((a, b) => a - b)
      return { ...rule, older: await olderThan(db, rule.kind, { companyId, days, now }) }
    }),
  )
}

const isNumber = (days: number | null): days is number => days !== null

/** The same without what it comes to. */
export async function listRules(db: Db, companyId: Scope): Promise<Omit<RetentionState, 'older'>[]> {
  const { rows } = await sql<Row>`select kind, company_id, days from retention_rules
    where company_id is null or company_id = ${companyId} order by kind, company_id limit 10`.execute(db)
  const kinds = RetainedKind.options.filter((kind) => companyId === null || kind !== 'audit')
  return kinds.map((kind) => {
    const find = (id: Scope) => rows.find((row) => row.kind === kind && row.company_id === id)
    const house_days = find(null)?.days ?? null
    const own = find(companyId)
    const follows_house = companyId !== null && own === undefined
    return { kind, days: follows_house ? house_days : (own?.days ?? null), follows_house, house_days }
  })
}

/** Whoever changes rules does it alone: what the audit log says was before has to be true. */
export async function lockRules(trx: Db): Promise<void> {
  await sql`lock table retention_rules in share row exclusive mode`.execute(trx)
}

export async function setRule(
  trx: Db,
  companyId: Scope,
  { kind, days, follows_house }: RetentionRule,
): Promise<void> {
  await sql`delete from retention_rules where kind = ${kind} and company_id is not distinct from ${companyId}`.execute(
    trx,
  )
  // What the installation does not say is kept; a company says it, because it would follow the installation otherwise.
  if (follows_house || (companyId === null && days === null)) return
  await sql`insert into retention_rules (kind, company_id, days) values (${kind}, ${companyId}, ${days})`.execute(
    trx,
  )
}

/** Whether anything is kept for a time only. */
export async function hasRules(db: Db): Promise<boolean> {
  const { rows } = await sql`select from retention_rules where days is not null limit 1`.execute(db)
  return rows.length > 0
}
