/** The subset of JSON schema used by the contracts. */
export type Schema = {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'super_admin'
export type RouteToFuzz = {
  /** Method and path with `{parameters}`; relative to the API base. */
  name: string
  method: string
  path: string
  /** `/v1` for the OpenAI wire. */
  base: string
  /** Every described status, with the error codes of a failure. */
  statuses: Map<string, string[]>
  access: Access
  isForm: boolean
  isUpload: boolean
  body: Schema | null
  inPath: string[]
  query: Record<string, Schema>
}

type Operation = {
  responses: Record<string, { $ref?: string }>
  'x-access'?: Access
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Returns every route of a running server, from its own description. */
export async function readRoutes(url: string): Promise<RouteToFuzz[]> {
  const answer = await fetch(`${url}/api/v1/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  )
}

/** A shared failure is named by its codes. */
const codesOf = (reference: string) =>
  (reference.split('/').at(-1) ?? '').split('.').filter((code) => code !== 'wire')

function describe(method: string, whole: string, operation: Operation): RouteToFuzz {
  const [, base = '', rest = ''] = /^(\/api\/v1|\/v1)(\/.*)$/.exec(whole) ?? []
  const path = base === '/v1' ? whole : rest
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const inPlace = (place: string) => operation.parameters.filter((one) => one.in === place)
  return {
    ...{ name: `${method} ${path}`, method, path, base, access: operation['x-access'] ?? 'public' },
    statuses: new Map(
      Object.entries(operation.responses).map(([status, { $ref = '' }]) => [status, codesOf($ref)]),
    ),
    isForm: type === 'application/x-www-form-urlencoded',
    isUpload: type === 'multipart/form-data',
    body: content?.schema ?? null,
    inPath: inPlace('path').map(({ name }) => name),
    query: Object.fromEntries(inPlace('query').map(({ name, schema }) => [name, schema])),
  }
}
