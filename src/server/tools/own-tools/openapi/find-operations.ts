import { HttpMethod } from '#shared/tools/own-tools/http-call.ts'
import { isRecord } from '../schemas.ts'
import { type Description, follow } from './description.ts'

type Found = {
  key: string
  method: HttpMethod
  path: string
  operation: Record<string, unknown>
  item: Record<string, unknown>
}

const known = new WeakMap<Description, Found[]>()

/** Every operation with what it stands in. */
export function findOperations(description: Description): Found[] {
  const found = known.get(description) ?? readPaths(description)
  known.set(description, found)
  return found
}

function readPaths(description: Description): Found[] {
  const { paths } = description
  if (!isRecord(paths)) return []
  return Object.entries(paths).flatMap(([path, part]) => {
    const item = followQuietly(description, part)
    if (!path.startsWith('/') || !isRecord(item)) return []
    return HttpMethod.options.flatMap((method) => {
      const operation = item[method.toLowerCase()]
      return isRecord(operation) ? [{ key: `${method} ${path}`, method, path, operation, item }] : []
    })
  })
}

/** A part, or what it refers to; null for what leads nowhere. */
export function followQuietly(description: Description, part: unknown): unknown {
  try {
    return follow(description, part)
  } catch {
    return null
  }
}
