import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { API_BASE } from '#shared/platform/http.ts'

/**
 * Sets strict headers on every answer. `page` is the HTML of the interface. Its inline scripts, which set the theme before the
 * first paint, are allowed by hash; no other inline script is.
 */
export function setSecurityHeaders(
  http: FastifyInstance,
  { page, isHttps }: { page: string | null; isHttps: boolean },
): void {
  // API answers are private unless their route sets a cache policy.
  http.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(API_BASE) || reply.hasHeader('cache-control')) return
    reply.header('cache-control', 'no-store')
  })
  // Answers may not be framed unless their route sends its own policy.
  http.addHook('onSend', async (_, reply) => {
    const policy = String(reply.getHeader('content-security-policy') ?? "default-src 'none'")
    if (!policy.includes('frame-ancestors'))
      reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`)
  })
  http.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Compiles WebAssembly from our own address, which decodes pictures of PDF files. It evaluates no text.
        scriptSrc: ["'self'", ownAddress, "'wasm-unsafe-eval'", ...hashInlineScripts(page ?? '')],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    // Over plain http, browsers ignore these headers and log a warning. Windows opened from here may answer.
    crossOriginOpenerPolicy: isHttps && { policy: 'same-origin-allow-popups' },
    originAgentCluster: isHttps,
  })
}

/**
 * Returns the address that a page was opened at, as a source. Frames without an origin inherit the policy of their page, and in
 * Safari `'self'` is nothing to them; diagrams are drawn in one. The scheme `http` includes https.
 */
function ownAddress({ headers }: IncomingMessage): string {
  const { host = '' } = headers
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? `http://${host}` : "'self'"
}

function hashInlineScripts(html: string): string[] {
  const scripts = html.split('</script>').slice(0, -1)
  const inline = scripts.flatMap((text) => /<script(?![^<>]*\ssrc=)[^<>]*>([\s\S]*)$/.exec(text)?.[1] ?? [])
  return inline.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
