import type { Kysely } from 'kysely'
import { type CompanyMasking, MaskingMode, MaskKind } from '#shared/models/masking/masking.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findCompanyMasking, upsertCompanyMasking } from './store.ts'

type Merge = { from: string; into: string }

/** Gives a company what another one replaced too. A provider that received placeholders from one of both still does. */
export async function mergeMasking(trx: Kysely<Tables>, { from, into }: Merge): Promise<void> {
  const theirs = await findCompanyMasking(trx, from)
  if (!theirs) return
  const ours = await findCompanyMasking(trx, into)
  await upsertCompanyMasking(trx, into, joinMasking(theirs, ours ?? unset))
}

const unset: CompanyMasking = { mode: 'off', kinds: [], connections: {} }

/** Returns a setting that replaces whatever one of two settings replaces. */
export function joinMasking(one: CompanyMasking, other: CompanyMasking): CompanyMasking {
  const providers = new Set([...Object.keys(one.connections), ...Object.keys(other.connections)])
  const connections: CompanyMasking['connections'] = {}
  for (const provider of providers) {
    const given = [one, other].map((setting) => setting.connections[provider])
    if (given.includes(true)) connections[provider] = true
    // An exception that one of both does not have must not weaken the other.
    else if ([one, other].every(({ mode }, at) => given[at] === false || mode === 'off'))
      connections[provider] = false
  }
  return {
    mode: strictest(one.mode, other.mode),
    kinds: MaskKind.options.filter((kind) => one.kinds.includes(kind) || other.kinds.includes(kind)),
    connections,
  }
}

const strictest = (one: MaskingMode, other: MaskingMode): MaskingMode =>
  MaskingMode.options.findLast((mode) => mode === one || mode === other) ?? one
