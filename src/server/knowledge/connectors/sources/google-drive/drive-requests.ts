import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import { CursorExpired, ItemRefused, SourceBusy, type SourceContext } from '../../define-connector.ts'
import { guardCursors } from '../../requests/guard-cursors.ts'
import { fetchWithToken } from '../../sign-in/with-token.ts'
import { assertAnswered, secondsOf } from '../../source-requests.ts'
import settings from './google-drive-settings.ts'

const SECONDS = 60
const MAX_BYTES = 20_000_000
/** Reasons of a 403 that ask to wait. */
const BUSY = ['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded']

const SharedDrive = z.object({ id: z.string(), name: z.string() })
export type SharedDrive = z.infer<typeof SharedDrive>
const Drives = z.object({ drives: z.array(SharedDrive).default([]), nextPageToken: z.string().optional() })
const Refusal = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string().default('') })).default([]) }),
})

/** Google Drive with the sign-in of a connector. */
export type Drive = {
  context: SourceContext
  host: string
  urlOf: (path: string, parameters: Record<string, string>) => string
  /** Returns the answer to a request. @throws SignedOut, ItemRefused, SourceBusy, AppError `unavailable` */
  ask: <S extends z.ZodType>(
    path: string,
    parameters: Record<string, string>,
    schema: S,
  ) => Promise<z.output<S>>
  /** Posts JSON. Only the notifications of the sign-in change. @throws the same */
  tell: <S extends z.ZodType>(
    path: string,
    parameters: Record<string, string>,
    body: object,
    schema: S,
  ) => Promise<z.output<S>>
  /** Returns the id of the folder My Drive. */
  rootId: () => Promise<string>
  /** Returns the shared drives of the account, by id. */
  sharedDrives: () => Promise<SharedDrive[]>
}

export function driveOf(context: SourceContext): Drive {
  const base = settings.of(context.config).GOOGLE_DRIVE_URL.replace(/\/$/, '')
  const host = new URL(base).host
  const urlOf = (path: string, parameters: Record<string, string>) =>
    `${base}/drive/v3${path}?${new URLSearchParams(parameters)}`
  const ask: Drive['ask'] = async (path, parameters, schema) => {
    const request = { maxBytes: MAX_BYTES, seconds: SECONDS, trusted: [base] }
    const answer = await fetchWithToken(context, urlOf(path, parameters), request)
    assertDriveAnswered(host, answer, answer.ok ? '' : answer.text())
    const read = schema.safeParse(await answer.json())
    if (!read.success) throw new AppError('unavailable', `${host} does not answer as Google Drive.`)
    return read.data
  }
  const tell: Drive['tell'] = async (path, parameters, body, schema) => {
    const answer = await fetchWithToken(context, urlOf(path, parameters), {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      ...{ maxBytes: MAX_BYTES, seconds: SECONDS, trusted: [base] },
    })
    assertDriveAnswered(host, answer, answer.ok ? '' : answer.text())
    const read = schema.safeParse(answer.bytes.length > 0 ? await answer.json() : undefined)
    if (!read.success) throw new AppError('unavailable', `${host} does not answer as Google Drive.`)
    return read.data
  }
  let root: string | undefined
  let drives: SharedDrive[] | undefined
  return {
    ...{ context, host, urlOf, ask, tell },
    rootId: async () => {
      root ??= (await ask('/files/root', { fields: 'id' }, z.object({ id: z.string() }))).id
      return root
    },
    sharedDrives: async () => {
      drives ??= await listDrives(host, ask)
      return drives
    },
  }
}

async function listDrives(host: string, ask: Drive['ask']): Promise<SharedDrive[]> {
  const all: SharedDrive[] = []
  const guard = guardCursors(host)
  let pageToken: string | undefined
  do {
    const page = { pageSize: '100', ...(pageToken && { pageToken }) }
    const { drives, nextPageToken } = await ask(
      '/drives',
      { ...page, fields: 'nextPageToken,drives(id,name)' },
      Drives,
    )
    all.push(...drives)
    pageToken = guard(nextPageToken)
  } while (pageToken)
  return all.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Reports a status that is no success. Google reports exceeded limits as 403 too. */
export function assertDriveAnswered(
  host: string,
  answer: { status: number; headers: Headers },
  body: string,
): void {
  const reason = reasonOf(body)
  if (answer.status === 403 && BUSY.includes(reason))
    throw new SourceBusy(secondsOf(answer.headers.get('retry-after')))
  if (reason === 'exportSizeLimitExceeded')
    throw new ItemRefused('too_large', 'Google exports at most 10 MB of a document.')
  assertAnswered(host, answer)
}

function reasonOf(body: string): string {
  const read = Refusal.safeParse(tryJson(body))
  return read.success ? (read.data.error.errors[0]?.reason ?? '') : ''
}

/** Runs a request of a listing. Something that is gone meanwhile must not look empty: its items would disappear one by one. */
export async function whileListing<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    if (error.reason === 'not_found') throw new CursorExpired(error.message)
    throw new AppError('unavailable', error.message)
  }
}
