import { readdirSync } from 'node:fs'
import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { checkout, codeUrl } from '../../../platform/process/checkout.ts'
import type { ProviderRecord } from './provider.ts'

const folder = new URL('src/server/models/providers/', checkout)

/**
 * The records of all kinds, one per folder of `src/server/models/providers`. No file of these folders may import this module, because
 * it waits until they are loaded.
 */
const records = await loadRecords()

/** The kinds of providers, in order. */
export const providerKinds: readonly string[] = [...records.keys()]

export const providerForms = (): ProviderForm[] => [...records].map(([kind, { form }]) => ({ kind, ...form }))

/** Returns the record of a kind; null for a kind that this version does not know. */
export const findProvider = (kind: string): ProviderRecord | null => records.get(kind) ?? null

/** Returns the record of a kind. @throws Error for a kind that this version does not know */
export function providerOf(kind: string): ProviderRecord {
  const record = findProvider(kind)
  if (!record) throw new Error(`No provider of the kind ${kind}.`)
  return record
}

/** Returns the rules for calls of a kind. Models that belong to no provider, such as local ones, accept any call id. */
export const callRulesOf = (kind: string): ProviderRecord['calls'] =>
  findProvider(kind)?.calls ?? { ids: 'any', maxTools: 128 }

function listKinds(): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

/** Loads one record after the other: the module loader of tests returns half-loaded modules to concurrent imports. */
async function loadRecords(): Promise<Map<string, ProviderRecord>> {
  const loaded: [string, ProviderRecord][] = []
  for (const kind of listKinds()) {
    const { href } = codeUrl(`src/server/models/providers/${kind}/${kind}-provider.ts`)
    const { default: record } = (await import(href)) as { default: ProviderRecord }
    loaded.push([kind, record])
  }
  return new Map(loaded.sort(([, one], [, other]) => one.place - other.place))
}
