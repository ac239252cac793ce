/** A JSON schema, as far as the contracts use it. */
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

export type Access = 'public' | 'user' | 'admin' | 'super_admin'
export type RouteToFuzz = {
  /** Method and path, with `{parameters}`. */
  name: string
  method: string
  path: string
  access: Access
  isForm: boolean
  isUpload: boolean
  body: Schema | null
  inPath: string[]
  query: Record<string, Schema>
}

type Operation = {
  'x-access'?: Access
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every route of a running server, from its own description. */
export async function readRoutes(url: string): Promise<RouteToFuzz[]> {
  const answer = await fetch(`${url}/api/v1/openapi.json`)
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(method.toUpperCase(), path, operation)),
  )
}

function describe(method: string, path: string, operation: Operation): RouteToFuzz {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const inPlace = (place: string) => operation.parameters.filter((one) => one.in === place)
  return {
    ...{ name: `${method} ${path}`, method, path, access: operation['x-access'] ?? 'public' },
    isForm: type === 'application/x-www-form-urlencoded',
    isUpload: type === 'multipart/form-data',
    body: content?.schema ?? null,
    inPath: inPlace('path').map(({ name }) => name),
    query: Object.fromEntries(inPlace('query').map(({ name, schema }) => [name, schema])),
  }
}
