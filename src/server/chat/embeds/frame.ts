import type { FastifyRequest } from 'fastify'
import { CLOSED_PAGE, EMBED_PAGE, EXTENSION_ORIGINS } from '#shared/chat/embeds/addresses.ts'
import { originOf } from '#shared/chat/embeds/origin.ts'
import type { Framing } from '../../platform/http/web-files/web-files.ts'
import type { Platform } from '../../platform/platform.ts'
import { findOpen } from './visitors.ts'

/**
 * Creates the check of which sites may frame a page. Only the embed page can be framed, and only by the sites of its token.
 * Other frames are redirected to the closed page. When the browser does not name the framing site, the policy blocks the frame.
 */
export function createFraming(
  deps: Pick<Platform, 'grants' | 'db' | 'clock' | 'config' | 'publicUrl'>,
): Framing {
  return async (request) => {
    // Compared as sent: another spelling of the path may render a different view in the browser.
    const [path = '', search = ''] = splitOnce(request.url, '?')
    if (path !== EMBED_PAGE) return null
    const query = new URLSearchParams(search)
    const tokens = query.getAll('authToken')
    if (tokens.length === 0) return null
    // With several tokens the browser might use a different one than the policy.
    const open = tokens.length === 1 ? await findOpen(deps, tokens[0]!) : null
    if (!open) return closed(query, { why: 'ended' })
    const sites = [...open.origins, ...(open.in_extension ? EXTENSION_ORIGINS : [])]
    const site = framedBy(request)
    const own = [URL.parse(deps.publicUrl())?.origin, `${request.protocol}://${request.host}`]
    if (site === null || sites.includes(site) || own.includes(site))
      return { ancestors: ["'self'", ...sites] }
    return closed(query, { why: 'origin_not_allowed', site })
  }
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)]
}

/** Returns the site of the framing page, if the browser names it. */
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
