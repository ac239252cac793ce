import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { SCIM_BASE } from '#shared/identity/accounts/scim.ts'
import { API_BASE, WIRE_BASE } from '#shared/platform/http.ts'
import { serveAnthropic } from './api/anthropic/anthropic.ts'
import { serveMcp } from './api/mcp-server/mcp-server.ts'
import { serveOpenAi } from './api/openai/openai.ts'
import { createFraming, serveClosedPage } from './chat/embeds/embeds.ts'
import type { AllDeps, Feature } from './feature.ts'
import { features } from './features.ts'
import { passSignOnOn, serveScim } from './identity/accounts/accounts.ts'
import { serveOAuth } from './identity/programs/programs.ts'
import { assertTermsOf } from './identity/terms/terms.ts'
import { serveHealth } from './lifecycle/health/health.ts'
import { serveMetrics } from './lifecycle/metrics/metrics.ts'
import { createAdmit, createPermit } from './platform/access/access.ts'
import { answerErrors } from './platform/http/answer-errors.ts'
import { readBodies } from './platform/http/bodies/read-bodies.ts'
import { boundConnections } from './platform/http/connections/bound-connections.ts'
import { closeOutsideRequests } from './platform/http/connections/open-requests.ts'
import { refuseAmbiguous } from './platform/http/connections/refuse-ambiguous.ts'
import { serveSelfDescription } from './platform/http/description/description.ts'
import { refuseForeignPages } from './platform/http/foreign-pages.ts'
import { paceBadLines, paceRefusals, refuseBadAddress } from './platform/http/pace-refusals.ts'
import { setSecurityHeaders } from './platform/http/security-headers/security-headers.ts'
import type { Server } from './platform/http/serve.ts'
import { boundStreams } from './platform/http/streaming/open-streams.ts'
import { serveTranslations } from './platform/http/translations/translations.ts'
import { createRates, createTurns } from './platform/http/turns/turns.ts'
import { warnOfUnnamedProxy } from './platform/http/unnamed-proxy.ts'
import { readPage, serveNothing, serveWeb, webFolder } from './platform/http/web-files/web-files.ts'
import { redactUrl } from './platform/log.ts'
import { observeRequests } from './platform/telemetry/telemetry.ts'

type Options = {
  /** Features to serve. Default: all. */
  features?: Feature[]
  webFolder?: string
}

/** Maximum time for a request to arrive: an upload over a slow line. */
const requestTimeout = 60 * 60_000
/** Timeout for request headers, and the interval of the check. A missing host is refused in `refuse-ambiguous.ts`, with a reason. */
const heads = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000, requireHostHeader: false }

/** Creates the complete HTTP application, not yet listening. */
export function createApp(deps: AllDeps, options: Options = {}): FastifyInstance {
  const { config } = deps
  const turns = createTurns(config)
  const http = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout,
    http: heads,
    trustProxy: config.ATRIUM_TRUST_PROXY.length > 0 && config.ATRIUM_TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: refuseBadAddress(turns),
    // Answered in `paceBadLines`.
    clientErrorHandler: () => undefined,
  })
  answerErrors(http, config.DATABASE_URL ? null : config.dataDir)
  boundConnections(http)
  closeOutsideRequests(http, deps.networks)
  paceBadLines(http, turns)
  logRequests(http)
  refuseAmbiguous(http)
  observeRequests(http, deps.telemetry)
  readBodies(http, { turns, config })
  paceRefusals(http, turns)
  if (config.servesWeb) receivePeople({ http, turns }, deps, options.webFolder ?? webFolder)
  else serveNothing(http)
  const server: Omit<Server, 'http'> = {
    authenticate: deps.authenticate,
    admit: createAdmit(deps.db),
    permit: createPermit(deps.grants),
    assertTerms: (principal) => assertTermsOf(deps.db, principal),
    turns,
    rates: createRates(config),
    routes: [],
    servesWeb: config.servesWeb,
  }
  serveMetrics({ http, turns }, deps)
  if (config.servesWeb) serveClosedPage({ http, turns })
  http.register(async (api) => serveApi({ ...server, http: api }, deps, options), { prefix: API_BASE })
  if (config.servesWeb)
    http.register(async (wire) => serveOpenAi({ ...server, http: wire }, deps), { prefix: WIRE_BASE })
  if (config.servesWeb)
    http.register(async (wire) => serveAnthropic({ ...server, http: wire }, deps), { prefix: WIRE_BASE })
  if (config.servesWeb) http.register(async (oauth) => serveOAuth({ http: oauth, turns }, deps))
  if (config.servesWeb) http.register(async (mcp) => serveMcp({ ...server, http: mcp }, deps))
  if (config.servesWeb)
    http.register(async (scim) => serveScim({ http: scim, turns }, deps), { prefix: SCIM_BASE })
  return http
}

/** Adds the security layers for browsers, and the web pages. */
function receivePeople(server: Pick<Server, 'http' | 'turns'>, deps: AllDeps, folder: string): void {
  const { http, turns } = server
  const { config } = deps
  const page = readPage(folder)
  boundStreams(http, config)
  warnOfUnnamedProxy(http)
  http.register(cookie)
  setSecurityHeaders(http, { page, isHttps: config.publicUrl?.startsWith('https:') ?? false })
  refuseForeignPages(http, deps)
  http.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false, ...fastCompression })
  serveWeb(http, { folder, page, framing: createFraming(deps), turns })
  passSignOnOn(server)
}

function serveApi(server: Server, deps: AllDeps, options: Options): void {
  for (const feature of options.features ?? features) feature(server, deps)
  serveTranslations(server)
  serveHealth(server, deps)
  serveSelfDescription(server, deps)
  // Last, when no run is active: a request that never ends must not block the shutdown.
  server.http.addHook('preClose', async () => {
    setTimeout(() => server.http.server.closeAllConnections(), requestGraceMs).unref()
  })
}

/** Time for open requests to finish during a shutdown. */
const requestGraceMs = 3_000

function logRequests(http: FastifyInstance): void {
  http.addHook('onResponse', async (request, reply) => {
    const { method, url, log } = request
    const ms = Math.round(reply.elapsedTime)
    log.info({ method, url: redactUrl(url), status: reply.statusCode, ms }, 'request')
  })
}

/** Brotli's default quality takes a second for a large response. Small ones are compressed directly, which is faster than a stream. */
const fastCompression = { brotliOptions: { params: { 1: 4 } }, syncThreshold: 32 * 1024 }
