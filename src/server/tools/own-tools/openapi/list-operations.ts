import { AppError } from '#shared/platform/errors.ts'
import type { HttpAuth } from '#shared/tools/own-tools/http-call.ts'
import type { ApiDescription, Operation } from '#shared/tools/own-tools/openapi.ts'
import { isRecord } from '../schemas.ts'
import { type Description, textIn } from './description.ts'
import { findOperations, followQuietly } from './find-operations.ts'
import { makeCall } from './make-call.ts'

/** Maximum operations listed. */
const MAX_LISTED = 3_000

/** Describes the content of a description. `base` is the address it was read from. @throws AppError `invalid` */
export function describeApi(
  description: Description,
  base: string | null,
): Omit<ApiDescription, 'characters'> {
  const { info, openapi } = description
  const operations = listOperations(description)
  if (operations.length === 0) throw new AppError('invalid', 'This description has no operations.')
  const { title, version } = isRecord(info) ? info : {}
  return {
    title: textIn(title, 200) || 'API',
    version: textIn(version, 50),
    format: `OpenAPI ${String(openapi).slice(0, 3)}`,
    servers: listServers(description, base),
    auths: listAuths(description, base),
    operations,
  }
}

function listOperations(description: Description): Operation[] {
  return findOperations(description)
    .slice(0, MAX_LISTED)
    .map(({ key, method, path, operation }) => {
      const { tags, summary, operationId, description: words } = operation
      return {
        ...{ key, method, path: path.slice(0, 500) },
        tag: textIn(Array.isArray(tags) ? tags[0] : '', 100),
        summary: textIn(summary, 300) || textIn(words, 300) || textIn(operationId, 300),
        unusable: whyNot(description, key),
      }
    })
}

function whyNot(description: Description, key: string): string | null {
  try {
    makeCall(description, key, 'https://example.com')
    return null
  } catch (error) {
    if (error instanceof AppError) return error.detail
    throw error
  }
}

/** Returns the server addresses, with default values for their variables. */
function listServers({ servers }: Description, base: string | null): string[] {
  const named = (Array.isArray(servers) ? servers : []).filter(isRecord).slice(0, 50)
  const addresses = named.flatMap(({ url, variables }) => {
    // A variable between the slashes of an address would become its host.
    if (/^\s*https?:(?!\/\/[^/\\])/i.test(textIn(url, 2_000))) return []
    const values = isRecord(variables) ? variables : {}
    const filled = textIn(url, 2_000).replace(/\{([^{}]{1,100})\}/g, (_, name: string) => {
      const variable = values[name]
      return isRecord(variable) ? String(variable.default ?? '') : ''
    })
    return resolveAddress(filled, base)
  })
  if (addresses.length > 0 || base === null) return [...new Set(addresses)]
  return [new URL(base).origin]
}

function resolveAddress(address: string, base: string | null): string[] {
  if (!URL.canParse(address, base ?? undefined)) return []
  const { protocol, href } = new URL(address, base ?? undefined)
  return /^https?:$/.test(protocol) ? [href.replace(/\/$/, '')] : []
}

function listAuths(description: Description, base: string | null): ApiDescription['auths'] {
  const { components, security } = description
  const schemes =
    isRecord(components) && isRecord(components.securitySchemes) ? components.securitySchemes : {}
  const accepted = findOperations(description).map(({ operation }) => {
    const asked = operation.security ?? security
    return new Set((Array.isArray(asked) ? asked : []).filter(isRecord).flatMap(Object.keys))
  })
  return Object.entries(schemes)
    .slice(0, 20)
    .flatMap(([name, scheme]) => {
      const auth = readScheme(followQuietly(description, scheme), base)
      return auth
        ? [{ name: name.slice(0, 100), auth, operations: accepted.filter((one) => one.has(name)).length }]
        : []
    })
}

/** Converts an auth scheme to ours; null if it is not supported. */
function readScheme(scheme: unknown, base: string | null): HttpAuth | null {
  if (!isRecord(scheme)) return null
  const { type, scheme: way, in: place, name, flows } = scheme
  if (type === 'http') return /^basic$/i.test(String(way)) ? { kind: 'basic' } : { kind: 'bearer' }
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie')) {
    const key = textIn(name, 100)
    return /^[\w.~-]+$/.test(key) ? { kind: 'api_key', place, name: key } : null
  }
  const flow = isRecord(flows) ? flows.clientCredentials : null
  if (type === 'oauth2' && isRecord(flow)) {
    const [token_url] = resolveAddress(textIn(flow.tokenUrl, 2_000), base)
    const scopes = isRecord(flow.scopes) ? Object.keys(flow.scopes).filter((one) => one.length <= 200) : []
    if (token_url) return { kind: 'oauth2_client', token_url, scopes: scopes.slice(0, 50) }
  }
  // A token of an interactive flow can still be entered by hand.
  return type === 'oauth2' || type === 'openIdConnect' ? { kind: 'bearer' } : null
}
