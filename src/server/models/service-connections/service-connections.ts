import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#shared/models/service-connections/service-connections.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import {
  browserSecret,
  createFindByToken,
  describeGoogle,
  keepBrowserSecret,
  visitOf,
} from '../../identity/accounts/accounts.ts'
import { actorById, auditBy, changed, writeAudit } from '../../identity/audit/audit.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import { ownOrigin } from '../../platform/http/own-origin.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { sendEnd } from './end-page.ts'
import { createGoogleAccount, NotConnected } from './google-account.ts'
import { makeSheet } from './make-sheet.ts'
import { findConnection, forgetConnection, keepConnection } from './store.ts'

const SERVICE = 'google'
const ATTEMPT_MS = 10 * 60_000
const CALLBACK = `${API_BASE}/service-connections/connect/google/callback`

const texts = {
  notSetUp:
    'Google Sheets is not set up here. An administrator sets GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
  signedOut: 'Authentication error. Please log in again.',
  expired: 'This attempt is too old. Please try again.',
  cancelled: 'Google was not given leave.',
  failed: 'Google did not answer as expected.',
  notConnected: 'Google is not connected any more. Please connect it again.',
  connected: 'Google is connected. This window can be closed.',
}

/** Google sheets created from tables, in the account of the person. */
export function serveServiceConnections(server: Server, platform: Platform): void {
  const { db, config, secrets, clock, publicUrl, log } = platform
  const configuration = describeGoogle(config)
  const google = configuration && createGoogleAccount(configuration)
  const findByToken = createFindByToken(platform)

  serve(server, contract.getGoogleStatus, {
    handle: async ({ user }) => ({
      available: google !== null,
      connected: google !== null && (await findConnection(db, user.id, SERVICE)) !== undefined,
    }),
  })
  serve(server, contract.exportGoogleSheet, {
    handle: async ({ user, body, request }) => {
      if (!google) throw new AppError('not_available', texts.notSetUp)
      const sealed = await findConnection(db, user.id, SERVICE)
      if (sealed === undefined) throw new AppError('not_connected', texts.notConnected)
      const table = { title: body.sheet_title, headers: body.table_headers, rows: body.prospects }
      try {
        const token = await google.enter(secrets.open(sealed))
        // Recorded first, so that no data leaves the installation without a record.
        const changes = changed('rows', null, String(table.rows.length))
        const entry = { subject: 'Google Sheets', changes }
        await auditBy(platform, { user, request })(db, { did: 'export.created', ...entry })
        return { sheet_url: await makeSheet(platform, token, table) }
      } catch (error) {
        if (!(error instanceof NotConnected)) throw describe(error)
        await db.transaction().execute(async (trx) => {
          await forgetConnection(trx, user.id, SERVICE)
          await auditBy(platform, { user, request })(trx, { did: 'service.disconnected', subject: SERVICE })
        })
        throw new AppError('not_connected', texts.notConnected)
      }
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.connectGoogle, contract.returnFromGoogle)

  const onGet = (url: string, handle: (request: Visit, reply: FastifyReply) => Promise<unknown>) =>
    addRoute(server, {
      method: 'GET',
      url,
      body: null,
      handle: (request, reply) => handle(request as Visit, reply),
    })
  onGet(contract.connectGoogle.path, async (request, reply) => {
    if (!google) return sendEnd(reply, 'error', texts.notSetUp)
    const user = await findByToken(textOf(request.query.auth_token), request)
    if (!user) return sendEnd(reply, 'error', texts.signedOut)
    const browser = keepBrowserSecret(request, reply, request.protocol === 'https')
    const verifier = randomBytes(32).toString('base64url')
    const until = clock.now().getTime() + ATTEMPT_MS
    const state = secrets.seal(JSON.stringify({ userId: user.id, browser, verifier, until }))
    try {
      const next = await google.askAt({ state, verifier }, callbackOf(request, publicUrl()))
      return await reply.header('cache-control', 'no-store').redirect(next.href)
    } catch (error) {
      log.warn({ error }, 'Google could not be asked.')
      return sendEnd(reply, 'error', texts.failed)
    }
  })
  onGet(contract.returnFromGoogle.path, async (request, reply) => {
    const state = textOf(request.query.state)
    const attempt = google && openState(state, browserSecret(request))
    if (!google || !attempt) return sendEnd(reply, 'error', google ? texts.expired : texts.notSetUp)
    if (request.query.error) return sendEnd(reply, 'error', texts.cancelled)
    try {
      const callback = new URL(callbackOf(request, publicUrl()))
      callback.search = new URL(request.url, callback).search
      const token = await google.finish({ state, verifier: attempt.verifier }, callback)
      await db.transaction().execute(async (trx) => {
        await keepConnection(trx, attempt.userId, SERVICE, secrets.seal(token))
        const who = await actorById(trx, attempt.userId, visitOf(request).address)
        await writeAudit(trx, clock.now(), { ...who, did: 'service.connected', subject: SERVICE })
      })
      return await sendEnd(reply, 'success', texts.connected)
    } catch (error) {
      log.warn({ error }, 'Google could not be connected.')
      return sendEnd(reply, 'error', texts.failed)
    }
  })

  /** Only the browser that began an attempt may finish it, within ten minutes. */
  function openState(state: string, browser: string | null): Attempt | null {
    try {
      const attempt = JSON.parse(secrets.open(state)) as Attempt
      return attempt.browser === browser && attempt.until > clock.now().getTime() ? attempt : null
    } catch {
      return null
    }
  }
}

type Visit = FastifyRequest<{ Querystring: Record<string, unknown> }>
type Attempt = { userId: string; browser: string; verifier: string; until: number }

const callbackOf = (request: FastifyRequest, publicUrl: string) =>
  `${ownOrigin(request, publicUrl)}${CALLBACK}`

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function describe(error: unknown): unknown {
  if (error instanceof AppError) return error
  return new AppError('provider_failed', texts.failed, { cause: error })
}
