import { closingHash, closingScript } from './close-ways-out.ts'

/** The origins a framed page may access, by kind. */
export type Reach = { connect: readonly string[]; resources: readonly string[] }

/**
 * Returns the policy of an interface. `sandbox` removes its origin even if the page is opened directly. `close-ways-out.ts`
 * closes what no policy covers, and is the only policy for markup.
 */
export function framePolicy(scripts: readonly string[], { connect, resources }: Reach): string {
  const also = resources.map((origin) => ` ${origin}`).join('')
  return [
    ...[
      "default-src 'none'",
      `script-src ${scripts.join(' ')}${also}`,
      "require-trusted-types-for 'script'",
      'trusted-types default',
      `style-src 'unsafe-inline'${also}`,
    ],
    ...[`img-src data: blob:${also}`, `media-src data: blob:${also}`, `font-src data:${also}`],
    `connect-src ${connect.length > 0 ? connect.join(' ') : "'none'"}`,
    ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'", "webrtc 'block'"],
    'sandbox allow-scripts',
  ].join('; ')
}

/** Returns a page that shows one module and contains only the element it renders into. */
export function modulePage(address: string, sri: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">${closingScript}<style>html,body{margin:0;background:transparent}body{font:14px/1.5 system-ui,sans-serif}</style></head><body><div id="root"></div><script type="module" crossorigin="anonymous" integrity="${sri}" src="${address}"></script></body></html>`
}

/** Returns a page of an MCP server, with the closing script first. */
export function appPage(html: string): string {
  return `<!doctype html>${closingScript}${html.replace(/^\s*<!doctype[^>]*>/i, '')}`
}

/** Script sources of a module page: ours, and these addresses. */
export const moduleScripts = (addresses: readonly string[]) => [closingHash, ...addresses]

/** Headers of all frame content: framed only here, and without DNS prefetching. */
export const frameHeaders = {
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), clipboard-read=(), clipboard-write=(), fullscreen=(), payment=(), usb=(), serial=(), hid=(), bluetooth=(), midi=()',
} as const
