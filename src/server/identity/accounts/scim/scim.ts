import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { addRoute } from '../../../platform/http/add-route.ts'
import { type BodyRule, JSON_TYPE } from '../../../platform/http/bodies/body-rule.ts'
import { parseBody } from '../../../platform/http/bodies/request-body.ts'
import type { Server } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { countedAddress, takeTurn } from '../rate-limit-store.ts'
import { hashSecret } from '../tokens/access-token-store.ts'
import { changePerson } from './change-person.ts'
import { type Chosen, chooseAttributes, readChoice, wants } from './choose-attributes.ts'
import { leavesByPatch, leavesByPut } from './leaves.ts'
import { readFilter } from './read-filter.ts'
import {
  PAGE_MOST,
  providerConfig,
  resourceTypes,
  schemas,
  showGroup,
  showList,
  showUser,
} from './resources.ts'
import { answerInScim, ScimError, scimErrorOf } from './scim-error.ts'
import { groupAttributes, listGroups, type ScimGroupRow } from './scim-group-store.ts'
import { createGroup, patchGroup, readGroup, removeGroup, replaceGroup } from './scim-groups.ts'
import { listUsers, type ScimUserRow, userAttributes } from './scim-user-store.ts'
import { createPerson, readPerson, removePerson } from './scim-users.ts'
import { findCompany, noteRefusal } from './token-store.ts'
import { mergeUser, parse, patchUser, readOperations, type UserDraft } from './user-draft.ts'

export { followGroupsBack } from './membership.ts'

type Call = {
  companyId: string
  id: string
  body: unknown
  query: z.infer<typeof Query>
  /** The attributes to return. */
  chosen: Chosen
  reply: FastifyReply
}
const whole = z.coerce.number().int()
const Query = z.object({
  filter: z.string().max(1_000).optional(),
  startIndex: whole.transform((n) => Math.max(1, n)).default(1),
  count: whole.transform((n) => Math.min(Math.max(0, n), PAGE_MOST)).default(100),
  attributes: z.string().max(1_000).default(''),
  excludedAttributes: z.string().max(1_000).default(''),
})

/** Serves SCIM 2.0 (RFC 7643, RFC 7644) to the directories of companies: users and groups, separate for each company. */
export function serveScim(server: Pick<Server, 'http' | 'turns'>, deps: Platform): void {
  const { http } = server
  const companies = new WeakMap<FastifyRequest, string>()
  answerInScim(http)
  http.addHook('onSend', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    if (reply.statusCode !== 204) reply.header('content-type', 'application/scim+json; charset=utf-8')
  })
  const on = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    act: (call: Call) => Promise<unknown>,
  ) =>
    addRoute(server, {
      ...{ method, url, body: method === 'GET' ? null : BODY },
      enter: async (request) => {
        const companyId = await authenticate(deps, request)
        companies.set(request, companyId)
        return `scim/${companyId}`
      },
      enterAgain: async (request) => void companies.set(request, await companyOf(deps, request)),
      handle: async (request, reply) => {
        const companyId = companies.get(request)!
        const { id = '' } = request.params as { id?: string }
        const body = await parseBody(request)
        const query = parse(Query, request.query)
        const answer = await act({ companyId, id, body, query, chosen: readChoice(query), reply }).catch(
          async (error) => {
            if (method !== 'GET')
              await noteRefusal(deps.db, companyId, scimErrorOf(error).message, deps.clock.now())
            throw error
          },
        )
        return answer === undefined ? reply.status(204).send() : reply.send(JSON.stringify(answer))
      },
    })
  on('GET', '/ServiceProviderConfig', async () => providerConfig)
  on('GET', '/ResourceTypes', async () => showList(resourceTypes, resourceTypes.length, 1))
  on('GET', '/Schemas', async () => showList(schemas, schemas.length, 1))
  servePeople(on, deps)
  serveGroups(on, deps)
  addRoute(server, {
    ...{ method: http.supportedMethods, url: '/*', body: null },
    handle: async () => {
      throw new ScimError(404, 'There is nothing at this address.')
    },
  })
}

type On = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  act: (call: Call) => Promise<unknown>,
) => void
/** Body limit: a group of ten thousand users with id, name and address. */
const BODY: BodyRule = {
  types: ['application/scim+json', JSON_TYPE],
  ...{ maxBytes: 2_000_000, maxValues: 60_000 },
}

function servePeople(on: On, deps: Platform): void {
  const base = () => deps.publicUrl()
  const show = (row: ScimUserRow, { chosen }: Call) => chooseAttributes(showUser(row, base()), chosen)
  on('GET', '/Users', async (call) => {
    const { filter, startIndex, count } = call.query
    const page = { skip: startIndex - 1, limit: count }
    const wanted = readFilter(filter, userAttributes)
    const { rows, total } = await listUsers(deps.db, call.companyId, wanted, page)
    return showList(
      rows.map((row) => show(row, call)),
      total,
      startIndex,
    )
  })
  on('POST', '/Users', async (call) => {
    const made = await createPerson(deps, call.companyId, mergeUser(null, call.body))
    call.reply.status(201).header('location', showUser(made, base()).meta.location)
    return show(made, call)
  })
  on('GET', '/Users/:id', async (call) => show(await readPerson(deps, call.companyId, call.id), call))
  on('PUT', '/Users/:id', async (call) => {
    const { companyId, id, body } = call
    const read = (draft: UserDraft) => mergeUser(draft, body)
    return show(await changePerson(deps, companyId, id, { leaves: leavesByPut(body), read }), call)
  })
  on('PATCH', '/Users/:id', async (call) => {
    const { companyId, id, body } = call
    const read = (draft: UserDraft) => patchUser(draft, readOperations(body))
    return show(await changePerson(deps, companyId, id, { leaves: leavesByPatch(body), read }), call)
  })
  on('DELETE', '/Users/:id', async ({ companyId, id }) =>
    removePerson(deps, companyId, await readPerson(deps, companyId, id)),
  )
}

function serveGroups(on: On, deps: Platform): void {
  const base = () => deps.publicUrl()
  const show = (row: ScimGroupRow, { chosen }: Call) => chooseAttributes(showGroup(row, base()), chosen)
  on('GET', '/Groups', async (call) => {
    const { filter, startIndex, count } = call.query
    const page = { skip: startIndex - 1, limit: count, withMembers: wants(call.chosen, 'members') }
    const wanted = readFilter(filter, groupAttributes)
    const { rows, total } = await listGroups(deps.db, call.companyId, wanted, page)
    return showList(
      rows.map((row) => show(row, call)),
      total,
      startIndex,
    )
  })
  on('POST', '/Groups', async (call) => {
    const made = await createGroup(deps, call.companyId, call.body)
    call.reply.status(201).header('location', showGroup(made, base()).meta.location)
    return show(made, call)
  })
  on('GET', '/Groups/:id', async (call) =>
    show(await readGroup(deps, call.companyId, call.id, wants(call.chosen, 'members')), call),
  )
  on('PUT', '/Groups/:id', async (call) => {
    const group = await readGroup(deps, call.companyId, call.id)
    return show(await replaceGroup(deps, call.companyId, group, call.body), call)
  })
  on('PATCH', '/Groups/:id', async (call) => {
    const group = await readGroup(deps, call.companyId, call.id)
    return show(await patchGroup(deps, call.companyId, group, readOperations(call.body)), call)
  })
  on('DELETE', '/Groups/:id', async ({ companyId, id }) =>
    removeGroup(deps, companyId, await readGroup(deps, companyId, id)),
  )
}

/** Resolves the token to its company, and counts the request. @throws ScimError 401, AppError `rate_limited` */
async function authenticate(deps: Platform, request: FastifyRequest): Promise<string> {
  const companyId = await companyOf(deps, request).catch(async (error) => {
    await takeTurn(deps, 'scim_address', countedAddress(request.ip))
    throw error
  })
  await takeTurn(deps, 'scim_company', companyId)
  return companyId
}

/** @throws ScimError 401 */
async function companyOf(deps: Platform, request: FastifyRequest): Promise<string> {
  const [, token] = /^Bearer +(\S{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
  const companyId = token ? await findCompany(deps.db, hashSecret(token), deps.clock.now()) : null
  if (!companyId) throw new ScimError(401, 'The token is wrong, or was taken back.')
  return companyId
}
