import type { Kysely } from 'kysely'
import { decide, type Grant, type Standing, type ThingKind } from '#shared/identity/grants/decide.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Feature, features } from '#shared/platform/features.ts'
import type { Use } from '#shared/platform/http.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import type { Tables } from '../db/tables.ts'
import { createCachedTable, type Notifications } from './cached-table.ts'
import { readGrants, readStanding } from './grant-store.ts'
import type { Principal } from './principal.ts'

/** A thing that can be granted. */
export type Thing = { kind: ThingKind; id: string }

/** The things a user may not use. */
type Closed = {
  has: (kind: ThingKind, id: string) => boolean
  /** Returns the ids of one kind. */
  ids: (kind: ThingKind) => string[]
}

/** Decides who may use what, from the grants table. No other module makes this decision. */
export type Grants = {
  /** Returns what the user may not use at present. */
  closedTo: (userId: string) => Promise<Closed>
  /** Returns the grants for a thing, to explain a decision. */
  about: (thing: Thing) => Promise<readonly Grant[]>
  standingOf: (userId: string) => Promise<Standing>
  /** Drops the cached grants after a local change; the database notifies other processes. */
  forget: () => void
  /** Calls back after each change of grants, with the user's id, or with null if it may affect anyone. */
  onChanged: (callback: (userId: string | null) => void) => void
}

type Needs = Notifications & { db: Kysely<Tables> }

/** Channel for changes of grants and memberships (migrations/0157_grants.sql). */
const channel = 'atrium_grants'
/** Maximum users whose decisions one process caches. */
const MAX_CACHED_USERS = 1_000

const keyOf = ({ kind, id }: Thing) => `${kind}:${id}`
type Table = ReadonlyMap<string, { thing: Thing; grants: Grant[] }>

export function createGrants({ db, ...notifications }: Needs): Grants {
  const people = new Map<string, Promise<Closed>>()
  const callbacks: ((userId: string | null) => void)[] = []
  const forget = (userId = '') => {
    if (userId !== '') return void people.delete(userId)
    table.forget()
    people.clear()
  }
  const table = createCachedTable(notifications, {
    ...{ channel, warning: 'Grants are read with every call.' },
    read: async (): Promise<Table> => group(await readGrants(db)),
    onChanged: (userId) => {
      forget(userId ?? '')
      if (userId !== null) for (const callback of callbacks) callback(userId || null)
    },
  })
  const close = async (userId: string): Promise<Closed> => {
    const known = await table.read()
    if (known.size === 0) return NOTHING
    const standing = await readStanding(db, userId)
    const refused = [...known.values()].filter(({ grants }) => !decide(standing, grants).may)
    return closedBy(refused.map(({ thing }) => thing))
  }
  return {
    closedTo: (userId) => {
      const kept = people.get(userId)
      if (kept) return kept
      const read = close(userId)
      if (!table.mayCache()) return read
      if (people.size >= MAX_CACHED_USERS) people.clear()
      people.set(userId, read)
      read.catch(() => {
        if (people.get(userId) === read) people.delete(userId)
      })
      return read
    },
    about: async (thing) => (await table.read()).get(keyOf(thing))?.grants ?? [],
    standingOf: (userId) => readStanding(db, userId),
    forget: () => forget(),
    onChanged: (callback) => void callbacks.push(callback),
  }
}

/** Returns the features a user may not use. */
export async function closedFeatures(grants: Pick<Grants, 'closedTo'>, userId: string): Promise<Feature[]> {
  const closed = await grants.closedTo(userId)
  return features.filter((feature) => closed.has('feature', feature))
}

/** @throws AppError `not_granted` if the user may not use the thing */
export async function assertOpen(
  grants: Pick<Grants, 'closedTo'>,
  userId: string,
  ...things: Thing[]
): Promise<void> {
  const closed = await grants.closedTo(userId)
  const first = things.find(({ kind, id }) => closed.has(kind, id))
  if (first) throw notGranted(first)
}

/**
 * Refuses a caller who may not use what the route uses, and an API key whose user may no longer have one.
 * @throws AppError `not_granted`
 */
export type Permit = (principal: Principal, use: Use | undefined) => Promise<void>

export function createPermit(grants: Pick<Grants, 'closedTo'>): Permit {
  return async (principal, use) => {
    if (principal.kind === 'anonymous' || principal.kind === 'link') return
    const way = principal.kind === 'key' ? [{ kind: 'feature' as const, id: 'api_keys' }] : []
    const [kind, id] = (use?.split(' ') ?? []) as [ThingKind?, string?]
    const things = kind && id ? [...way, { kind, id }] : way
    if (things.length > 0) await assertOpen(grants, principal.id, ...things)
  }
}

function notGranted({ kind, id }: Thing): AppError {
  return new AppError('not_granted', sentences[kind](id))
}

/** Returns whether an error means that a grant was refused. */
export function isNotGranted(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_granted'
}

const sentences: Record<ThingKind, (id: string) => string> = {
  model: (id) => `The model ${id} is not open to you. Choose another one, or ask your administrator.`,
  tool: (id) => toolError('closed', { tool: id }),
  assistant: () => 'This assistant is not open to you. Choose another one, or ask your administrator.',
  database: () => 'This database is not open to you. Ask your administrator.',
  feature: (id) => `${namesOfFeatures[id as Feature]} not open to you. Ask your administrator.`,
}

const namesOfFeatures: Record<Feature, string> = {
  api_keys: 'API keys are',
  embeds: 'Assistants in other pages are',
  webhooks: 'Webhooks are',
  own_tools: 'Tools of your own are',
  mcp_servers: 'MCP servers are',
  uploads: 'Uploads are',
  transcription: 'Transcription is',
  exports: 'Exports are',
  links: 'Read-only links are',
  deep_research: 'Deep research is',
  temporary_chats: 'Temporary chats are',
  connectors: 'Personal connectors are',
}

const NOTHING: Closed = { has: () => false, ids: () => [] }

function closedBy(things: Thing[]): Closed {
  if (things.length === 0) return NOTHING
  const keys = new Set(things.map(keyOf))
  return {
    has: (kind, id) => keys.has(keyOf({ kind, id })),
    ids: (kind) => things.flatMap((thing) => (thing.kind === kind ? [thing.id] : [])),
  }
}

function group(rows: Awaited<ReturnType<typeof readGrants>>): Table {
  const table = new Map<string, { thing: Thing; grants: Grant[] }>()
  for (const { kind, thing: id, ...grant } of rows) {
    const thing = { kind, id }
    const known = table.get(keyOf(thing)) ?? { thing, grants: [] }
    known.grants.push(grant)
    table.set(keyOf(thing), known)
  }
  return table
}
