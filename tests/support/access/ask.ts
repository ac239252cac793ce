import { API_BASE, type Route } from '../../../src/shared/platform/http.ts'
import type { Described } from './calls/described.ts'
import type { Carried } from './people.ts'
import type { Things } from './things.ts'

/** Returns a route's name in the lists of calls: its method and its path without the API base. */
export const nameOf = (route: Route) => `${route.method} ${pathOf(route, '')}`

const pathOf = ({ base, path }: Route, api: string) => (base ?? api) + path.replace('*', ':id')

/** Calls a described route of the application at `url`. Returns the result. */
export async function ask(
  route: Route,
  call: Described,
  things: Things,
  url: string,
  { headers, query }: Carried,
) {
  const path = pathOf(route, API_BASE).replace(/:(\w+)/g, (_, name: keyof Things) =>
    encodeURIComponent(things[name]),
  )
  const abort = new AbortController()
  const { type, body } = bodyOf(call, things)
  const answer = await fetch(`${url}${path}?${new URLSearchParams({ ...call.query?.(things), ...query })}`, {
    ...{ method: route.method, redirect: 'manual', signal: abort.signal, body },
    headers: { ...headers, ...type },
  })
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await answer.text()
  abort.abort()
  const isError = answer.status >= 400
  return { status: answer.status, text, code: isError ? codeOf(JSON.parse(text)) : '' }
}

/** The wires of programs have error formats of their own. */
const codeOf = ({ code, error }: { code?: string; error?: { code: string } }) => String(error?.code ?? code)

function bodyOf({ body, form, upload }: Described, things: Things) {
  if (form) return { type: {}, body: new URLSearchParams(form) }
  if (upload) {
    const data = new FormData()
    data.append('file', new Blob(['a']), 'a.txt')
    return { type: {}, body: data }
  }
  if (!body) return { type: {}, body: null }
  return { type: { 'content-type': 'application/json' }, body: JSON.stringify(body(things)) }
}
