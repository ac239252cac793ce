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
type Scope = string | null

type Row = { kind: RetainedKind; company_id: string | null; days: number | null }

/** Returns the rules of the installation or a company, with the amount of data by age. */
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

/** Returns the rules only. */
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

/** Locks the rules, so that the audit entry states the true previous values. */
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
  // Without a rule the installation keeps everything; a company must say so, or it would follow the installation.
  if (follows_house || (companyId === null && days === null)) return
  await sql`insert into retention_rules (kind, company_id, days) values (${kind}, ${companyId}, ${days})`.execute(
    trx,
  )
}

/** Returns whether any rule limits retention. */
export async function hasRules(db: Db): Promise<boolean> {
  const { rows } = await sql`select from retention_rules where days is not null limit 1`.execute(db)
  return rows.length > 0
}
