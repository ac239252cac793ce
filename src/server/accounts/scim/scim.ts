import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { addRoute } from '../../http/add-route.ts'
import { type BodyRule, JSON_TYPE } from '../../http/bodies/body-rule.ts'
import { parseBody } from '../../http/bodies/request-body.ts'
import type { Server } from '../../http/serve.ts'
import type { Platform } from '../../platform.ts'
import { hashSecret } from '../access-token-store.ts'
import { countedAddress, takeTurn } from '../rate-limit-store.ts'
import { groupAttributes, listGroups } from './group-store.ts'
import { createGroup, patchGroup, readGroup, removeGroup, replaceGroup } from './groups.ts'
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
import { findCompany, noteRefusal } from './token-store.ts'
import { mergeUser, parse, patchUser, readOperations } from './user-draft.ts'
import { listUsers, userAttributes } from './user-store.ts'
import { changePerson, createPerson, draftOf, readPerson, removePerson } from './users.ts'

type Call = {
  companyId: string
  id: string
  body: unknown
  query: z.infer<typeof Query>
  reply: FastifyReply
}
const whole = z.coerce.number().int()
const Query = z.object({
  filter: z.string().max(1_000).optional(),
  startIndex: whole.transform((n) => Math.max(1, n)).default(1),
  count: whole.transform((n) => Math.min(Math.max(0, n), PAGE_MOST)).default(100),
  excludedAttributes: z.string().max(300).default(''),
})

/** SCIM 2.0 (RFC 7643, RFC 7644) for the directories of companies: people and groups, each company its own. */
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
      handle: async (request, reply) => {
        const companyId = companies.get(request)!
        const { id = '' } = request.params as { id?: string }
        const body = await parseBody(request)
        const query = parse(Query, request.query)
        const answer = await act({ companyId, id, body, query, reply }).catch(async (error) => {
          if (method !== 'GET')
            await noteRefusal(deps.db, companyId, scimErrorOf(error).message, deps.clock.now())
          throw error
        })
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
/** A group of ten thousand people in one body, each with an id, a name and an address. */
const BODY: BodyRule = {
  types: ['application/scim+json', JSON_TYPE],
  ...{ maxBytes: 2_000_000, maxValues: 60_000 },
}

function servePeople(on: On, deps: Platform): void {
  const base = () => deps.publicUrl()
  on('GET', '/Users', async ({ companyId, query: { filter, startIndex, count } }) => {
    const page = { skip: startIndex - 1, limit: count }
    const { rows, total } = await listUsers(deps.db, companyId, readFilter(filter, userAttributes), page)
    return showList(
      rows.map((row) => showUser(row, base())),
      total,
      startIndex,
    )
  })
  on('POST', '/Users', async ({ companyId, body, reply }) => {
    const made = showUser(await createPerson(deps, companyId, mergeUser(null, body)), base())
    reply.status(201).header('location', made.meta.location)
    return made
  })
  on('GET', '/Users/:id', async ({ companyId, id }) =>
    showUser(await readPerson(deps, companyId, id), base()),
  )
  on('PUT', '/Users/:id', async ({ companyId, id, body }) => {
    const before = await readPerson(deps, companyId, id)
    return showUser(await changePerson(deps, companyId, before, mergeUser(draftOf(before), body)), base())
  })
  on('PATCH', '/Users/:id', async ({ companyId, id, body }) => {
    const before = await readPerson(deps, companyId, id)
    const draft = patchUser(draftOf(before), readOperations(body))
    return showUser(await changePerson(deps, companyId, before, draft), base())
  })
  on('DELETE', '/Users/:id', async ({ companyId, id }) =>
    removePerson(deps, companyId, await readPerson(deps, companyId, id)),
  )
}

function serveGroups(on: On, deps: Platform): void {
  const base = () => deps.publicUrl()
  on('GET', '/Groups', async ({ companyId, query: { filter, startIndex, count, excludedAttributes } }) => {
    const page = { skip: startIndex - 1, limit: count, withMembers: !/members/i.test(excludedAttributes) }
    const { rows, total } = await listGroups(deps.db, companyId, readFilter(filter, groupAttributes), page)
    return showList(
      rows.map((row) => showGroup(row, base())),
      total,
      startIndex,
    )
  })
  on('POST', '/Groups', async ({ companyId, body, reply }) => {
    const made = showGroup(await createGroup(deps, companyId, body), base())
    reply.status(201).header('location', made.meta.location)
    return made
  })
  on('GET', '/Groups/:id', async ({ companyId, id }) =>
    showGroup(await readGroup(deps, companyId, id), base()),
  )
  on('PUT', '/Groups/:id', async ({ companyId, id, body }) =>
    showGroup(await replaceGroup(deps, companyId, await readGroup(deps, companyId, id), body), base()),
  )
  on('PATCH', '/Groups/:id', async ({ companyId, id, body }) => {
    const group = await readGroup(deps, companyId, id)
    return showGroup(await patchGroup(deps, companyId, group, readOperations(body)), base())
  })
  on('DELETE', '/Groups/:id', async ({ companyId, id }) =>
    removeGroup(deps, companyId, await readGroup(deps, companyId, id)),
  )
}

/** Whose directory calls. @throws ScimError 401, AppError `rate_limited` */
async function authenticate(deps: Platform, request: FastifyRequest): Promise<string> {
  const [, token] = /^Bearer +(\S{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
  const companyId = token ? await findCompany(deps.db, hashSecret(token), deps.clock.now()) : null
  if (!companyId) {
    await takeTurn(deps, 'scim_address', countedAddress(request.ip))
    throw new ScimError(401, 'The token is wrong, or was taken back.')
  }
  await takeTurn(deps, 'scim_company', companyId)
  return companyId
}
