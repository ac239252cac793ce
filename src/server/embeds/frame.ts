import type { FastifyRequest } from 'fastify'
import { CLOSED_PAGE, EMBED_PAGE, EXTENSION_ORIGINS } from '#shared/embeds/addresses.ts'
import { originOf } from '#shared/embeds/origin.ts'
import type { Framing } from '../http/web-files.ts'
import type { Platform } from '../platform.ts'
import { findOpen } from './visitors.ts'

/**
 * Which sites may show a page in a frame: those of the embed token in its address. Elsewhere a frame is led to a page that says
 * so; where nothing tells who frames it, the browser keeps it out.
 */
export function createFraming(
  deps: Pick<Platform, 'grants' | 'db' | 'clock' | 'config' | 'publicUrl'>,
): Framing {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url, 'http://here')
    if (pathname === CLOSED_PAGE) return { ancestors: ['*'] }
    const token = searchParams.get('authToken')
    if (token === null) return null
    const open = await findOpen(deps, token)
    if (!open) return pathname === EMBED_PAGE ? closed(searchParams, { why: 'ended' }) : null
    const sites = [...open.origins, ...(open.in_extension ? EXTENSION_ORIGINS : [])]
    const site = framedBy(request)
    const own = [URL.parse(deps.publicUrl())?.origin, `${request.protocol}://${request.host}`]
    if (site === null || sites.includes(site) || own.includes(site))
      return { ancestors: ["'self'", ...sites] }
    return closed(searchParams, { why: 'origin_not_allowed', site })
  }
}

/** The site of the page that frames this one, as far as the browser tells. */
function framedBy({ headers }: FastifyRequest): string | null {
  return headers['sec-fetch-dest'] === 'iframe' && headers.referer ? originOf(headers.referer) : null
}

function closed(asked: URLSearchParams, told: { why: string; site?: string }) {
  const kept = ['lang', 'theme'].flatMap((name) => {
    const value = asked.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { redirect: `${CLOSED_PAGE}?${new URLSearchParams({ ...told, ...Object.fromEntries(kept) })}` }
}
