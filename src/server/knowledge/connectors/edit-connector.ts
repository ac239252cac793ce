import type { ConnectorReader, ConnectorRights } from '#shared/knowledge/connectors/connectors.ts'
import type { Selection, Settings } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { administeredBy, assertOpen, findAllowed } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import {
  type ConnectorRow,
  countConnectors,
  insertConnector,
  lockConnector,
  replaceReaders,
  updateConnector,
} from './connector-store.ts'
import type { ConnectorSource, OpenedSource } from './define-connector.ts'
import { hasItems } from './engine/item-store.ts'
import { openSource, settingsOf } from './engine/open-source.ts'
import { explaining } from './explaining.ts'
import { listKnownSources, listOffered } from './known-sources.ts'

/** Longest time between two syncs of mirrored rights, in minutes: half of the time that old rights count. */
const MAX_MIRRORED_MINUTES = 720
/** Connectors of one person or company. */
const MAX_CONNECTORS = 200
const TRIAL_MS = 20_000

/** Settings to try, or changed ones of a connector. */
export type Trial = {
  source: string
  settings: Settings
  connector_id?: string | undefined
  company_id: string | null
}

export type Content = {
  name: string
  settings: Settings
  selection: Selection
  readers: ConnectorReader[]
  every_minutes: number
}
export type NewConnector = Content & {
  source: string
  company_id: string | null
  rights: ConnectorRights
  start: boolean
}

/**
 * Returns a source that the caller may connect, for a company that they administer or for themselves.
 * @throws AppError `forbidden`, `not_granted`, `not_available`
 */
export async function assertMayConnect(
  { config, grants }: RunDeps,
  user: Caller,
  { source: id, company_id }: Pick<Trial, 'source' | 'company_id'>,
): Promise<ConnectorSource> {
  const source = listOffered(config).find((one) => one.id === id)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  if (company_id !== null) {
    if (administeredBy(user).includes(company_id)) return source
    throw new AppError('forbidden', 'Only an administrator of the company can connect a source for it.')
  }
  if (!source.personal) throw new AppError('forbidden', 'Only a company can connect this source.')
  await assertOpen(grants, user.id, { kind: 'feature', id: 'connectors' })
  return source
}

/** Opens a source with settings to try, and closes it after use. @throws AppError `forbidden`, `not_found`, `unavailable`, `invalid` */
export async function tryWith<T>(
  deps: RunDeps,
  user: Caller,
  trial: Trial,
  use: (source: OpenedSource, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await assertMayConnect(deps, user, trial)
  const known = trial.connector_id
    ? await findAllowed(deps.db, user, 'manage connector', trial.connector_id)
    : null
  if (known && (known.source !== trial.source || known.company_id !== trial.company_id))
    throw new AppError('forbidden', 'This connector is of another source.')
  const settings = known ? mergeSettings(deps, known, trial.settings).all : trial.settings
  return withSource(deps, { ...trial, settings }, use)
}

async function withSource<T>(
  deps: RunDeps,
  { source: id, settings, connector_id }: Pick<Trial, 'source' | 'settings' | 'connector_id'>,
  use: (source: OpenedSource, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return explaining(TRIAL_MS, (signal) => {
    const given = { connectorId: connector_id ?? null, mirrors: false, signal }
    return { opened: openSource(deps, id, settings, given), use: (source) => use(source, signal) }
  })
}

/** Stores a connector after trying its sign-in. Returns its id. */
export async function addConnector(
  deps: RunDeps,
  user: Caller,
  wish: NewConnector,
  also: (trx: RunDeps['db'], id: string) => Promise<void>,
): Promise<string> {
  const source = await assertMayConnect(deps, user, wish)
  assertRights(source, wish)
  // A source with its own page is signed in to when its connector exists.
  if (!source.signIn) await withSource(deps, wish, (opened) => opened.check())
  const { plain, secret } = splitSettings(source, wish.settings)
  const { name, selection, rights, every_minutes, company_id, start } = wish
  return deps.db.transaction().execute(async (trx) => {
    if ((await countConnectors(trx, { user_id: user.id, company_id })) >= MAX_CONNECTORS)
      throw new AppError('conflict', `There are ${MAX_CONNECTORS} connectors already. Remove one first.`)
    const now = deps.clock.now()
    const id = await insertConnector(trx, {
      ...{
        user_id: user.id,
        company_id,
        source: source.id,
        name: cleanCharacters(name),
        rights,
        every_minutes,
      },
      ...{ settings: JSON.stringify(plain), selection: JSON.stringify(selection) },
      secrets: Object.keys(secret).length > 0 ? deps.secrets.seal(JSON.stringify(secret)) : null,
      host: source.hostOf(wish.settings),
      ...{ error: null, phase: null, cursor: null, removing: null },
      ...{ changes_token: null, state: source.signIn ? 'signed_out' : start ? 'working' : 'paused' },
      next_sync_at: start && !source.signIn ? now : null,
    })
    if (company_id !== null) await replaceReaders(trx, { id, company_id }, wish.readers)
    await also(trx, id)
    return id
  })
}

type Changeable = Content & Pick<ConnectorRow, 'rights'>
type Changes = { [K in keyof Changeable]?: Changeable[K] | undefined }

/** Changes a connector. New settings are tried first, and begin a sync unless it is paused or asks. */
export async function editConnector(
  deps: RunDeps,
  row: ConnectorRow,
  changes: Changes,
  also: (trx: RunDeps['db']) => Promise<void>,
): Promise<void> {
  const source = listKnownSources().find(({ id }) => id === row.source)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  const rights = changes.rights ?? row.rights
  assertRights(source, { ...row, rights, every_minutes: changes.every_minutes ?? row.every_minutes })
  const merged = changes.settings && mergeSettings(deps, row, changes.settings)
  const isSignedOut = source.signIn !== undefined && row.state === 'signed_out'
  if (merged && !isSignedOut) {
    const trial = { source: row.source, settings: merged.all, connector_id: row.id }
    await withSource(deps, trial, (opened) => opened.check())
  }
  const { name, selection, every_minutes, readers } = changes
  await deps.db.transaction().execute(async (trx) => {
    const now = await lockConnector(trx, row.id)
    if (!now) throw new AppError('not_found', 'Connector not found')
    const hasOtherRights = changes.rights !== undefined && changes.rights !== now.rights
    if (hasOtherRights && (await hasItems(trx, row.id)))
      throw new AppError('conflict', 'The rights can only be chosen before the first sync.')
    const begins = (merged || selection) && !['paused', 'asking'].includes(now.state) && !isSignedOut
    const set = {
      ...(name !== undefined && { name: cleanCharacters(name) }),
      ...(every_minutes !== undefined && { every_minutes }),
      ...(hasOtherRights && { rights }),
      ...(selection && { selection: JSON.stringify(selection) }),
      ...(merged && {
        settings: JSON.stringify(merged.plain),
        secrets:
          Object.keys(merged.secret).length > 0 ? deps.secrets.seal(JSON.stringify(merged.secret)) : null,
        host: source.hostOf(merged.all),
      }),
      // Another listing begins with the first page.
      ...((merged || selection) && { changes_token: null }),
      ...(begins && { ...restart, state: 'working' as const, next_sync_at: deps.clock.now() }),
      ...((merged || selection) && !begins && now.state === 'paused' && restart),
    }
    if (Object.keys(set).length > 0) await updateConnector(trx, row.id, set)
    if (readers && row.company_id !== null)
      await replaceReaders(trx, { id: row.id, company_id: row.company_id }, readers)
    await also(trx)
  })
}

const restart = { phase: null, cursor: null, changes_token: null, error: null, failures: 0 }

function assertRights(
  source: ConnectorSource,
  { rights, company_id, every_minutes }: Pick<ConnectorRow, 'rights' | 'company_id' | 'every_minutes'>,
): void {
  if (rights === 'named') return
  if (!source.mirrorsRights || company_id === null)
    throw new AppError('invalid', 'This source does not tell who may read an item.')
  if (every_minutes > MAX_MIRRORED_MINUTES)
    throw new AppError('invalid', 'Rights must be read at least every 12 hours.')
}

/** Separates the fields of a source that are sealed; values of other names are dropped. @throws AppError `invalid` without a required field */
export function splitSettings(
  { fields }: Pick<ConnectorSource, 'fields'>,
  settings: Settings,
): { plain: Settings; secret: Settings } {
  const of = (isSecret: boolean) =>
    Object.fromEntries(
      fields.flatMap(({ name, type }) => {
        const value = settings[name]
        return (type === 'secret') === isSecret && value ? [[name, value]] : []
      }),
    )
  for (const { name, required } of fields)
    if (required && !settings[name]) throw new AppError('invalid', `The field ${name} is required.`)
  return { plain: of(false), secret: of(true) }
}

/**
 * Joins changed settings with the stored ones. Secrets that are left out stay, but only for the same address: otherwise they would be sent
 * to a place that somebody else chose.
 */
function mergeSettings(deps: RunDeps, row: ConnectorRow, changed: Settings) {
  const source = listKnownSources().find(({ id }) => id === row.source)
  if (!source) throw new AppError('not_available', 'This source is not available.')
  const isSameAddress = source.fields.every(
    ({ name, type }) =>
      type !== 'address' || changed[name] === undefined || changed[name] === row.settings[name],
  )
  const isSameHost = source.hostOf({ ...row.settings, ...changed }) === source.hostOf(row.settings)
  const known = isSameAddress && isSameHost ? settingsOf(deps, row) : row.settings
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== ''))
  const all = { ...known, ...given }
  return { all, ...splitSettings(source, all) }
}
