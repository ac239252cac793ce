import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import type { ErrorCode } from '#shared/platform/errors.ts'
import { API_BASE, API_VERSION, type Route, WIRE_BASE } from '#shared/platform/http.ts'
import { queryOf } from '../parts.ts'
import { failuresByStatus } from './failures.ts'

type Json = Record<string, unknown>

/**
 * Returns the OpenAPI 3.1 description of all routes: input, answers and failures. It takes over 100 ms, so other requests get turns in
 * between.
 */
export async function describeRoutes(routes: Route[], serverUrl: string): Promise<Json> {
  const paths: Record<string, Json> = {}
  const responses: Record<string, Json> = {}
  for (const route of routes) {
    await nextTurn()
    const path = describedPath(route)
    for (const method of [route.method, ...(route.alsoMethods ?? [])])
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(route, method, responses) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, WireError: wireErrorSchema, MessagesError: messagesErrorSchema },
      responses: Object.fromEntries(Object.entries(responses).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    paths,
  }
}

/** Returns the full path in OpenAPI notation. A wildcard is called `id`. */
export function describedPath({ base, path }: Pick<Route, 'base' | 'path'>): string {
  return (base ?? API_BASE) + path.replace(/:(\w+)/g, '{$1}').replace('*', '{id}')
}

function describeRoute(route: Route, method: string, shared: Record<string, Json>): Json {
  const operation: Json = {
    summary: route.summary,
    ...(route.description && { description: route.description }),
    operationId: nameOf(route, method),
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(queryOf(route), 'query')],
    responses: { ...describeAnswers(route), ...describeFailures(route, shared) },
  }
  if (route.access !== 'public') operation['x-access'] = route.access
  if (route.may) operation['x-may'] = route.may
  if (route.scope) operation['x-scope'] = route.scope
  if (route.upload)
    return {
      ...operation,
      requestBody: { required: true, content: { 'multipart/form-data': { schema: upload } } },
    }
  if (!route.body) return operation
  const type = route.form ? 'application/x-www-form-urlencoded' : 'application/json'
  const required = !z.core.safeParse(route.body, undefined).success
  const content = { [type]: { schema: toSchema(route.body, 'input') } }
  return { ...operation, requestBody: { required, content } }
}

function nameOf({ base, path }: Route, method: string): string {
  const words = (base ?? '') + path.replace('*', 'id')
  return `${method.toLowerCase()}${words.replace(/(?<![/:_.-])[/:_.-]+(\w)/g, (_, letter) => letter.toUpperCase())}`
}

/** A form with one part named `file`. */
const upload = {
  ...{ type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
}

function describeAnswers(route: Route): Json {
  const content = {
    ...(route.answer && json(toSchema(route.answer, 'output'))),
    ...(route.sends && { [route.sends]: { schema: { type: 'string' } } }),
    ...(route.kind === 'stream' && { 'text/event-stream': { schema: { type: 'string' } } }),
  }
  const isEmpty = Object.keys(content).length === 0
  const answer = isEmpty ? { description: 'Done' } : { description: 'Answer', content }
  const also = (route.alsoStatus ?? []).map((status): [string, Json] => [
    String(status),
    {
      description: alsoSaid[status],
      ...(status === 206 && { content }),
      ...(status === 200 && { content: { [route.sends ?? 'text/html']: { schema: { type: 'string' } } } }),
    },
  ])
  return Object.fromEntries([[String(route.status ?? 200), answer], ...also])
}

const alsoSaid = { 200: 'A page', 204: 'Nothing there', 206: 'The range asked for', 304: 'Unchanged' }

/** Describes the failures of a route. Equal ones are shared components, named by their codes. */
function describeFailures(route: Route, shared: Record<string, Json>): Json {
  const form = route.errorForm === 'anthropic' ? 'messages' : route.base === WIRE_BASE ? 'wire' : 'api'
  return Object.fromEntries(
    Array.from(failuresByStatus(route), ([status, codes]) => {
      const name = `${form === 'api' ? '' : `${form}.`}${codes.join('.')}`
      shared[name] ??= describeFailure(codes, form)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

const schemaOf = { api: 'Error', wire: 'WireError', messages: 'MessagesError' }

function describeFailure(codes: ErrorCode[], form: keyof typeof schemaOf): Json {
  const code = { type: 'string', enum: codes }
  const described = { $ref: `#/components/schemas/${schemaOf[form]}` }
  const schema = form === 'api' ? { allOf: [described, { type: 'object', properties: { code } }] } : described
  const waits = codes.includes('rate_limited') || codes.includes('unavailable')
  const retry = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }
  return { description: codes.join(', '), ...(waits && { headers: retry }), content: json(schema) }
}

function parameters(schema: z.core.$ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  type Described = { properties?: Record<string, Json>; required?: string[] }
  const { properties = {}, required = [] } = toSchema(schema, 'input') as Described
  const { properties: read = {} } = toSchema(schema, 'output') as Described
  // Numbers arrive as text, so the parsed type is more informative than the input type.
  const saidBy = (name: string, { default: fallback, ...said }: Json) => {
    const isBare = Object.keys(said).every((key) => key === 'type') && (said.type ?? 'number') === 'number'
    if (!isBare || !read[name]) return properties[name]
    return fallback === undefined ? read[name] : { ...read[name], default: fallback }
  }
  return Object.entries(properties).map(([name, said]) => ({
    name: name === '*' ? 'id' : name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: saidBy(name, said),
  }))
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: 'any' },
    // Answers may gain fields, so clients must ignore unknown ones.
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return described
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

const errorSchema = {
  type: 'object',
  required: ['detail', 'code'],
  properties: {
    detail: { type: 'string' },
    code: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

const wireErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { enum: ['invalid_request_error', 'rate_limit_error', 'server_error'] },
        param: { type: ['string', 'null'] },
        code: { type: 'string' },
      },
    },
  },
}

const messagesErrorSchema = {
  type: 'object',
  required: ['type', 'error'],
  properties: {
    type: { const: 'error' },
    error: {
      type: 'object',
      required: ['type', 'message', 'code', 'param'],
      properties: {
        ...{ type: { type: 'string' }, message: { type: 'string' }, code: { type: 'string' } },
        param: { type: ['string', 'null'] },
      },
    },
  },
}
