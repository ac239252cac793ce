import { readdirSync } from 'node:fs'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { checkout, codeUrl } from '../../platform/process/checkout.ts'
import type { ConnectorSource } from './define-connector.ts'

const folder = new URL('src/server/knowledge/connectors/sources/', checkout)

/**
 * Every source, one per folder of `sources`, in display order. No file of these folders may import this module, because it waits until they
 * are loaded.
 */
const known = await loadSources()

let added: readonly ConnectorSource[] = []

/** Offers more sources in this process, such as the scripted one of tests. */
export function addSources(sources: readonly ConnectorSource[]): void {
  added = sources
}

export const listKnownSources = (): readonly ConnectorSource[] => [...known, ...added]

/** Returns the settings of the installation that a source lacks. */
export const missingSettings = ({ signIn }: ConnectorSource, config: Config): string[] =>
  (signIn?.needs ?? []).filter((name) => !config.declared[name])

/** Returns the sources that this installation offers, in display order. */
export const listOffered = (config: Config): ConnectorSource[] =>
  listKnownSources().filter((one) => one.isOffered(config) && missingSettings(one, config).length === 0)

/** @throws AppError `not_available` for a source that this version does not know */
export function sourceOf(id: string): ConnectorSource {
  const source = listKnownSources().find((one) => one.id === id)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  return source
}

/** Loads one source after the other: the module loader of tests returns half-loaded modules to concurrent imports. */
async function loadSources(): Promise<ConnectorSource[]> {
  const loaded: ConnectorSource[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const { href } = codeUrl(`src/server/knowledge/connectors/sources/${entry.name}/${entry.name}-source.ts`)
    loaded.push(((await import(href)) as { default: ConnectorSource }).default)
  }
  return loaded.sort((one, other) => one.place - other.place)
}
