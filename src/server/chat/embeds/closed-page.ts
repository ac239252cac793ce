import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CLOSED_PAGE } from '#shared/chat/embeds/addresses.ts'
import english from '../../../../locales/en/embeds.json' with { type: 'json' }
import french from '../../../../locales/fr/embeds.json' with { type: 'json' }
import { requestLanguage } from '../../identity/accounts/accounts.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import type { Turns } from '../../platform/http/turns/turns.ts'

/** Policy of the only page that any site may frame. It runs no script and loads nothing, so it cannot act for a user. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *"

const MAX_SITE = 200

/** Serves the page a frame shows when the assistant may not appear there. It tells the site's team the reason. */
export function serveClosedPage(server: { http: FastifyInstance; turns: Turns }): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const asked = new URL(request.url, 'http://here').searchParams
    const lang = asked.get('lang')
    const language = lang === 'fr' || lang === 'en' ? lang : requestLanguage(request)
    const theme = asked.get('theme')
    const isElsewhere = asked.get('why') === 'origin_not_allowed'
    const site = asked.get('site')?.slice(0, MAX_SITE)
    const texts = (language === 'fr' ? french : english).closed
    const reason = isElsewhere ? ['origin_not_allowed', site].filter(Boolean).join(', ') : 'token_not_valid'
    reply.header('content-security-policy', POLICY).removeHeader('x-frame-options')
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        [
          `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
          '<meta name="viewport" content="width=device-width, initial-scale=1">',
          `<meta name="color-scheme" content="${theme === 'light' || theme === 'dark' ? theme : 'light dark'}">`,
          `<title>${escapeHtml(texts.title)}</title><style>${STYLE}</style></head><body><main>`,
          `<h1>${escapeHtml(texts.title)}</h1>`,
          `<p>${escapeHtml(isElsewhere ? texts.elsewhere : texts.ended)}</p>`,
          `<p class="team">${escapeHtml(texts.for_team)} <code>${escapeHtml(reason)}</code></p>`,
          '</main></body></html>',
        ].join(''),
      )
  }
  addRoute(server, {
    method: 'GET',
    url: CLOSED_PAGE,
    body: null,
    handle: async (request, reply) => answer(request, reply),
  })
}

const STYLE = [
  'body{margin:0;min-height:100dvh;display:grid;place-items:center;background:Canvas;color:CanvasText;font:14px/1.5 system-ui,sans-serif}',
  'main{box-sizing:border-box;width:100%;max-width:560px;padding:16px 28px 56px}',
  'h1{margin:0 0 4px;font-size:18px;font-weight:600}p{margin:0;opacity:.8}',
  '.team{margin-top:12px;font-size:13px}code{font-size:12px;overflow-wrap:anywhere}',
].join('')

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
