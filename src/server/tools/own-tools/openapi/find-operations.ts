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

/** Returns every operation with its path. */
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

/** Resolves a part or its reference; null for an invalid reference. */
export function followQuietly(description: Description, part: unknown): unknown {
  try {
    return follow(description, part)
  } catch {
    return null
  }
}
