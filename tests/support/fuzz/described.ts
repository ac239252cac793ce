import type { Described } from '../access/calls/described.ts'
import { calls } from '../access/calls.ts'
import type { Things } from '../access/things.ts'
import { aFile, type CertainRequest, MULTIPART } from './certain.ts'
import type { FuzzedRequest } from './requests.ts'
import type { RouteToFuzz } from './routes.ts'
import type { Who } from './rows.ts'

/** The least privileged caller of each access level. */
const callers: Record<RouteToFuzz['access'], Who> = {
  ...{
    public: 'anonymous',
    visitor: 'visitor',
    user: 'user',
    admin: 'company_admin',
    super_admin: 'super_admin',
  },
}

/** Returns the request of a route from the access table, with newly created things; null for an unknown route. */
export async function describedRequest(
  route: RouteToFuzz,
  make: () => Promise<Things>,
): Promise<CertainRequest | null> {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  // An additional method of a route is called like its first.
  const [call] = calls[`${route.method} ${path}`] ?? calls[`PUT ${path}`] ?? []
  if (!call) return null
  const things = await make()
  const named = route.path.replace(/\{(\w+)\}/g, (_, name: keyof Things) => encodeURIComponent(things[name]))
  const query = new URLSearchParams(call.query?.(things)).toString()
  const at = query ? `${named}?${query}` : named
  return {
    route: route.name,
    who: callers[route.access],
    asked: { method: route.method, path: at, ...sentBy(call, things) },
  }
}

function sentBy({ body, form, upload }: Described, things: Things): Pick<FuzzedRequest, 'headers' | 'body'> {
  if (form)
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    }
  if (upload) return { headers: { 'content-type': MULTIPART }, body: aFile('a.txt', 'a') }
  if (!body) return { headers: {}, body: undefined }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body(things)) }
}
