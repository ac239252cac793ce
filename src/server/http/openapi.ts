import * as z from 'zod'
import { statusOf } from '#shared/errors.ts'
import { API_BASE, type Route } from '#shared/http.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of every route; errors have one form. */
export function describeRoutes(routes: Route[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const methods = [route.method, ...(route.alsoMethods ?? [])]
    for (const method of methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(route, method) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Atrium', version: '1' },
    servers: [{ url: `${serverUrl}${API_BASE}` }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
    paths,
  }
}

function describeRoute(route: Route, method: string): Json {
  const operation: Json = {
    summary: route.summary,
    operationId: `${method.toLowerCase()}${route.path.replace(/(?<![/:_.-])[/:_.-]+(\w)/g, (_, letter) => letter.toUpperCase())}`,
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    responses: {
      [String(route.status ?? 200)]: describeAnswer(route),
      default: { description: 'Error', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
  if (route.access !== 'public') operation['x-access'] = route.access
  if (route.may) operation['x-may'] = route.may
  if (route.scope) operation['x-scope'] = route.scope
  if (route.upload)
    return { ...operation, requestBody: { content: { 'multipart/form-data': { schema: upload } } } }
  if (!route.body) return operation
  const type = route.form ? 'application/x-www-form-urlencoded' : 'application/json'
  return { ...operation, requestBody: { content: { [type]: { schema: toSchema(route.body, 'input') } } } }
}

/** One part named `file`. */
const upload = {
  ...{ type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
}

function describeAnswer(route: Route): Json {
  if (route.kind === 'stream') {
    return { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } }
  }
  if (!route.answer) return { description: 'Done' }
  return { description: 'Answer', content: json(toSchema(route.answer, 'output')) }
}

function parameters(schema: z.core.$ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }))
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
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
    code: { enum: Object.keys(statusOf) },
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
