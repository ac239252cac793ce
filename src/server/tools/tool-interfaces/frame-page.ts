import { closingHash, closingScript } from './close-ways-out.ts'

/** What a page in a frame may reach: origins by kind. */
export type Reach = { connect: readonly string[]; resources: readonly string[] }

/**
 * The policy of an interface. `sandbox` takes its origin away even where the page is opened by itself; what no policy bounds is
 * closed by `close-ways-out.ts`, which this makes the only way for markup.
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

/** What is in a page that shows one module: nothing but the place it draws in. */
export function modulePage(address: string, sri: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">${closingScript}<style>html,body{margin:0;background:transparent}body{font:14px/1.5 system-ui,sans-serif}</style></head><body><div id="root"></div><script type="module" crossorigin="anonymous" integrity="${sri}" src="${address}"></script></body></html>`
}

/** A page of an MCP server, with what closes its ways out before everything else. */
export function appPage(html: string): string {
  return `<!doctype html>${closingScript}${html.replace(/^\s*<!doctype[^>]*>/i, '')}`
}

/** Scripts of a page with a module: ours, and those of these addresses. */
export const moduleScripts = (addresses: readonly string[]) => [closingHash, ...addresses]

/** Headers of everything a frame is given: it may be shown here alone, and nothing looks names up beforehand. */
export const frameHeaders = {
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), clipboard-read=(), clipboard-write=(), fullscreen=(), payment=(), usb=(), serial=(), hid=(), bluetooth=(), midi=()',
} as const
