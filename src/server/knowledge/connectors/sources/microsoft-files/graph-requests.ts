import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { CursorExpired, ItemRefused, type SourceContext } from '../../define-connector.ts'
import { guardCursors } from '../../requests/guard-cursors.ts'
import { fetchWithToken } from '../../sign-in/with-token.ts'
import { assertAnswered } from '../../source-requests.ts'
import settings from './microsoft-files-settings.ts'

const SECONDS = 60
const MAX_BYTES = 20_000_000

/** Microsoft Graph with the sign-in of a connector. */
export type Graph = {
  context: SourceContext
  host: string
  /** Returns the answer to a path or to a link that Graph returned. @throws SignedOut, ItemRefused, SourceBusy, CursorExpired, AppError `unavailable` */
  ask: <S extends z.ZodType>(
    pathOrLink: string,
    schema: S,
    headers?: Record<string, string>,
  ) => Promise<z.output<S>>
  /** Sends JSON to a path. Only the subscriptions of the sign-in change. @throws the same */
  tell: <S extends z.ZodType>(
    path: string,
    request: { method: 'POST' | 'PATCH' | 'DELETE'; body?: object },
    schema: S,
  ) => Promise<z.output<S>>
  /** Returns the values of all pages. */
  askAll: <S extends z.ZodType>(path: string, schema: S) => Promise<z.output<S>[]>
}

export function graphOf(context: SourceContext): Graph {
  const base = settings.of(context.config).MICROSOFT_FILES_URL.replace(/\/$/, '')
  const { host, origin } = new URL(base)
  const ask: Graph['ask'] = async (pathOrLink, schema, headers = {}) => {
    const url = pathOrLink.startsWith('/') ? `${base}/v1.0${pathOrLink}` : pathOrLink
    // The token must not follow a link to another host.
    if (!URL.canParse(url) || new URL(url).origin !== origin)
      throw new AppError('unavailable', `${host} names an address of another host.`)
    const request = { headers, maxBytes: MAX_BYTES, seconds: SECONDS, trusted: [base] }
    const answer = await fetchWithToken(context, url, request)
    if (answer.status === 410) throw new CursorExpired(`${host} no longer accepts the token.`)
    assertAnswered(host, answer)
    const read = schema.safeParse(await answer.json())
    if (!read.success) throw new AppError('unavailable', `${host} does not answer as Microsoft Graph.`)
    return read.data
  }
  const tell: Graph['tell'] = async (path, { method, body }, schema) => {
    const answer = await fetchWithToken(context, `${base}/v1.0${path}`, {
      ...{ method, maxBytes: MAX_BYTES, seconds: SECONDS, trusted: [base] },
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    assertAnswered(host, answer)
    const read = schema.safeParse(answer.bytes.length > 0 ? await answer.json() : undefined)
    if (!read.success) throw new AppError('unavailable', `${host} does not answer as Microsoft Graph.`)
    return read.data
  }
  return {
    ...{ context, host, ask, tell },
    askAll: async (path, schema) => {
      const Page = z.object({ value: z.array(schema), '@odata.nextLink': z.string().optional() })
      const all: z.output<typeof schema>[] = []
      const guard = guardCursors(host)
      let next: string | undefined = path
      while (next) {
        const page: z.output<typeof Page> = await ask(next, Page)
        all.push(...page.value)
        next = guard(page['@odata.nextLink'])
      }
      return all
    },
  }
}

/** Runs a request of a listing. A place that is refused must not look empty: its items would disappear one by one. */
export async function whileListing<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof ItemRefused) throw new AppError('unavailable', error.message)
    throw error
  }
}
