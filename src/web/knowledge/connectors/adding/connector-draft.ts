import type { Connector, ConnectorReader, ConnectorRights } from '#shared/knowledge/connectors/connectors.ts'
import type { Selection, Settings, Source } from '#shared/knowledge/connectors/sources.ts'

/** Settings that a source is tried with. `key` changes with every other attempt; results of the source are cached under it. */
export type Trial = {
  key: string
  source: string
  settings: Settings
  company_id: string | null
  connector_id?: string
}

/** A source whose sign-in works, with the name of its connector. */
export type SignedIn = { trial: Trial; name: string }

/** Folders and file names to read, as typed. */
export type SelectionDraft = { folders: string[]; hasAll: boolean; include: string; exclude: string }

/** One of those who may use a connector, with its name when it is known. */
export type NamedReader = ConnectorReader & { name: string | null }

export type AccessDraft = { rights: ConnectorRights; readers: NamedReader[]; every_minutes: number }

/** Minutes between two syncs that are offered. */
const intervals = [15, 60, 240, 720, 1440, 10_080] as const
/** Mirrored rights are read at least this often. */
const MAX_MIRRORED_MINUTES = 720
const DEFAULT_MINUTES = 60

/** Returns the offered intervals, with the one in use. */
export function intervalsFor(rights: ConnectorRights, current: number): number[] {
  const offered = intervals.filter((one) => rights === 'named' || one <= MAX_MIRRORED_MINUTES)
  return [...new Set([...offered, current])].sort((a, b) => a - b)
}

export const emptySelection: SelectionDraft = { folders: [], hasAll: true, include: '', exclude: '' }

export const emptySettings = ({ fields }: Source): Settings =>
  Object.fromEntries(fields.map(({ name, value, options }) => [name, value ?? options?.[0] ?? '']))

export function emptyAccess(source: Source, company: { id: string; name: string } | null): AccessDraft {
  return {
    rights: source.mirrors_rights && company ? 'mirrored' : 'named',
    readers: company ? [{ kind: 'company', ...company }] : [],
    every_minutes: DEFAULT_MINUTES,
  }
}

/** The access of an existing connector. */
export const accessOf = ({ rights, readers, every_minutes }: Connector): AccessDraft => ({
  ...{ rights, every_minutes },
  readers: readers.map((reader) => ({ name: null, ...reader })),
})

export const toSelection = ({ folders, hasAll, include, exclude }: SelectionDraft): Selection => ({
  folders: hasAll ? [] : folders,
  include: toLines(include),
  exclude: toLines(exclude),
})

export const toDraft = ({ folders, include, exclude }: Selection): SelectionDraft => ({
  ...{ folders, hasAll: folders.length === 0 },
  ...{ include: include.join('\n'), exclude: exclude.join('\n') },
})

export const toReaders = (readers: readonly NamedReader[]): ConnectorReader[] =>
  readers.map(({ kind, id }) => ({ kind, id }))

/** False while only some folders are wanted and none is chosen, which would mean all. */
export const isComplete = ({ hasAll, folders }: SelectionDraft): boolean => hasAll || folders.length > 0

const toLines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Tells whether a folder is chosen itself, by a folder above it, or in part. */
export function choiceOf(chosen: readonly string[], path: string): 'chosen' | 'above' | 'part' | 'none' {
  if (chosen.includes(path)) return 'chosen'
  if (chosen.some((one) => path.startsWith(`${one}/`))) return 'above'
  return chosen.some((one) => one.startsWith(`${path}/`)) ? 'part' : 'none'
}

/** Chooses a folder, which replaces those below it, or removes it. */
export function toggleFolder(chosen: readonly string[], path: string): string[] {
  if (chosen.includes(path)) return chosen.filter((one) => one !== path)
  return [...chosen.filter((one) => !one.startsWith(`${path}/`)), path]
}
