import * as contract from '#shared/api/channels/channels.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { isCompany } from '../../identity/administration/administration.ts'
import { auditBy, changed, changesBetween } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import {
  type ChannelValues,
  deleteChannel,
  findAssistantIds,
  findChannel,
  insertChannel,
  listPlaceNames,
  listSeen,
  listShown,
  nameCompany,
  type StoredChannel,
  updateChannel,
  writePlaces,
} from './channel-store.ts'
import { openWire, wireTo } from './open-wire.ts'
import { requestWork } from './request-work.ts'

/** Serves the connections to super admins. */
export function serveConnecting(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.listChannels, {
    handle: async () => ({ items: (await listShown(db)).map((row) => toChannel(deps, row)) }),
  })
  serve(server, contract.testChannel, {
    handle: async ({ body: { id, ...given } }) => {
      const stored = id === undefined ? null : await read(deps, id)
      const { workspace, bot } = await valuesOf(deps, given, stored)
      return { workspace, bot }
    },
  })
  serve(server, contract.listOfferedPlaces, {
    handle: async ({ params }) => {
      const wire = openWire(deps, await read(deps, params.channelId))
      const offered = await plainly(wire.offered(await listSeen(db, params.channelId)))
      return { items: offered.slice(0, contract.MAX_OFFERED) }
    },
  })
  serveChanges(server, deps)
}

function serveChanges(server: Server, deps: Deps): void {
  const { db } = deps
  serve(server, contract.createChannel, {
    handle: async ({ user, request, body }) => {
      const values = await valuesOf(deps, body, null)
      const id = await db.transaction().execute(async (trx) => {
        const made = await insertChannel(trx, values)
        if (made === null)
          throw new AppError('conflict', `An installation has at most ${contract.MAX_CHANNELS} channels.`)
        const changes = changed('workspace', null, values.workspace)
        await auditBy(deps, { user, request })(trx, {
          did: 'channel.connected',
          subject: values.name,
          changes,
        })
        return made
      })
      return show(deps, id)
    },
  })
  serve(server, contract.updateChannel, {
    handle: async ({ user, request, body, params: { channelId } }) => {
      const stored = await read(deps, channelId)
      const values = await valuesOf(deps, body, stored)
      await db.transaction().execute(async (trx) => {
        await updateChannel(trx, channelId, values)
        const changes = await changesOf(deps, stored, values)
        await auditBy(deps, { user, request })(trx, { did: 'channel.changed', subject: values.name, changes })
      })
      await requestWork(deps, channelId)
      return show(deps, channelId)
    },
  })
  serve(server, contract.deleteChannel, {
    handle: async ({ user, request, params: { channelId } }) =>
      db.transaction().execute(async (trx) => {
        const name = await deleteChannel(trx, channelId)
        if (name === null) throw missing()
        await auditBy(deps, { user, request })(trx, { did: 'channel.removed', subject: name })
        return { message: 'The channel was removed.' }
      }),
  })
  serve(server, contract.setChannelPlaces, {
    handle: async ({ user, request, body: { places }, params: { channelId } }) => {
      const { name } = await read(deps, channelId)
      await assertPlaces(deps, places)
      await db.transaction().execute(async (trx) => {
        const before = (await listPlaceNames(trx, channelId)).join(', ')
        await writePlaces(trx, channelId, places)
        const after = (await listPlaceNames(trx, channelId)).join(', ')
        const changes = changed('places', before, after)
        await auditBy(deps, { user, request })(trx, { did: 'channel.places_chosen', subject: name, changes })
      })
      return show(deps, channelId)
    },
  })
}

/** @throws AppError `invalid` for a place twice, or one without an assistant that exists */
async function assertPlaces({ db }: Deps, places: readonly contract.ChannelPlace[]): Promise<void> {
  if (new Set(places.map(({ foreign_id }) => foreign_id)).size < places.length)
    throw new AppError('invalid', 'places: One channel has one assistant.')
  if (places.some(({ foreign_id, assistant_id }) => foreign_id !== contract.DIRECT && assistant_id === null))
    throw new AppError('invalid', 'places: Choose an assistant for each channel.')
  const wanted = places.flatMap(({ assistant_id }) => (assistant_id === null ? [] : [assistant_id]))
  const known = await findAssistantIds(db, wanted)
  if (wanted.some((id) => !known.has(id)))
    throw new AppError('invalid', 'places: An assistant does not exist.')
}

const missing = () => new AppError('not_found', 'Channel not found')
const facts = ({ company_id: _, services, is_on, ...values }: ChannelValues) => {
  const { kind, name, workspace, bot, address, issuer, graph, app_id, tenant_id } = values
  return {
    ...{ kind, name, workspace, bot, address, issuer, graph, app_id, tenant_id },
    ...{ services: services.join(' '), is_on: is_on ? 'on' : 'off' },
  }
}

/** Returns the changes for the audit log. Secrets are only named. */
async function changesOf({ db, secrets }: Deps, stored: StoredChannel, values: ChannelValues) {
  const opened = (sealed: string | null) => (sealed === null ? '' : secrets.open(sealed))
  const isSame = (what: 'secret_sealed' | 'token_sealed') => opened(stored[what]) === opened(values[what])
  // Two companies may have one name.
  const company = {
    ...{ what: 'company', before: await nameCompany(db, stored), after: await nameCompany(db, values) },
  }
  return [
    ...changesBetween(facts(stored), facts(values)),
    ...(stored.company_id === values.company_id ? [] : [company]),
    ...(isSame('secret_sealed') ? [] : changed('secret', null, 'changed')),
    ...(isSame('token_sealed') ? [] : changed('token', null, 'changed')),
  ]
}

async function read({ db }: Deps, id: string): Promise<StoredChannel> {
  const row = await findChannel(db, id)
  if (!row) throw missing()
  return row
}

/**
 * Returns what is stored of a connection, after the service accepted it. Stored secrets go only where they were entered for.
 * @throws AppError `invalid`, `conflict`
 */
async function valuesOf(
  deps: Deps,
  given: contract.ChannelChanges,
  stored: StoredChannel | null,
): Promise<ChannelValues> {
  const { kind, name, company_id, is_on } = given
  const address = originOf('address', given.address || contract.DEFAULT_ADDRESSES[kind])
  const isTeams = kind === 'teams'
  if (stored && kind !== stored.kind)
    throw new AppError('invalid', 'kind: A connection stays with its service. Connect the other one as well.')
  if (isTeams && (given.app_id === '' || !/^[\w.-]{1,100}$/.test(given.tenant_id)))
    throw new AppError('invalid', 'app_id: Enter the id of the application and the tenant.')
  const cloud = isTeams ? cloudOf(given) : { issuer: '', graph: '', services: [] }
  const isSame =
    stored !== null &&
    address === stored.address &&
    cloud.graph === stored.graph &&
    cloud.services.every((one) => stored.services.includes(one))
  const { secret, token } = secretsOf(deps, given, stored, isSame)
  if (!(await isCompany(deps.db, company_id))) throw new AppError('invalid', 'company_id: Choose a company.')
  const reached = { kind, address, ...cloud, app_id: given.app_id, tenant_id: given.tenant_id, secret, token }
  const tested = await plainly(wireTo(deps, reached).test())
  return {
    ...{ kind, name, company_id, is_on, address, ...cloud, ...tested },
    ...{ secret_sealed: deps.secrets.seal(secret), token_sealed: isTeams ? null : deps.secrets.seal(token) },
  }
}

function cloudOf({ issuer, graph, services }: contract.ChannelChanges) {
  const given = services.length > 0 ? services : contract.DEFAULT_TEAMS.services
  return {
    issuer: issuer === '' ? contract.DEFAULT_TEAMS.issuer : addressOf('issuer', issuer).href,
    graph: originOf('graph', graph || contract.DEFAULT_TEAMS.graph),
    services: given.map((one) => originOf('services', one)),
  }
}

type Given = Pick<contract.ChannelChanges, 'kind' | 'secret' | 'token'>

/** @throws AppError `invalid` for a missing secret, and for a stored one that would go to another address */
function secretsOf({ secrets }: Deps, given: Given, stored: StoredChannel | null, isSame: boolean) {
  const sent = given.kind === 'teams' ? 'secret' : 'token'
  if (stored && given[sent] === undefined && !isSame)
    throw new AppError('invalid', `${sent}: Enter it again: the address has changed.`)
  const secret = given.secret ?? (stored ? secrets.open(stored.secret_sealed) : '')
  const token = given.token ?? (stored?.token_sealed ? secrets.open(stored.token_sealed) : '')
  if (secret === '') throw new AppError('invalid', 'secret: Enter the secret.')
  if (token === '' && given.kind === 'slack') throw new AppError('invalid', 'token: Enter the bot token.')
  return { secret, token }
}

/** A service that cannot be asked is a conflict with the settings, not a failure of the product. */
async function plainly<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error) => {
    if (error instanceof AppError && (error.code === 'rate_limited' || error.code === 'unavailable'))
      throw new AppError('conflict', error.detail)
    throw error
  })
}

const originOf = (field: string, address: string) => addressOf(field, address).origin

function addressOf(field: string, address: string): URL {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '')
    throw new AppError('invalid', `${field}: Enter an address such as https://slack.com.`)
  return url
}

async function show(deps: Deps, id: string): Promise<contract.Channel> {
  const [row] = await listShown(deps.db, id)
  if (!row) throw missing()
  return toChannel(deps, row)
}

type Shown = Awaited<ReturnType<typeof listShown>>[number]

function toChannel({ publicUrl }: Deps, { created_at, ...row }: Shown): contract.Channel {
  const base = `${publicUrl()}${API_BASE}/channels/${row.id}/${row.kind}`
  const isTeams = row.kind === 'teams'
  return {
    ...{ ...row, created_at: created_at.toISOString() },
    ...{
      events_url: `${base}/${isTeams ? 'messages' : 'events'}`,
      actions_url: `${base}/${isTeams ? 'messages' : 'actions'}`,
    },
  }
}
