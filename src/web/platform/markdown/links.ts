import { API_BASE } from '#shared/platform/http.ts'

/** The models page, to which the built-in model refers. No other address of the product is a link, because some have side effects. */
export const MODELS_PAGE = '/admin/models'

/** Returns the address of a link that may be followed (http, https, mailto); null otherwise, so that only its text is shown. */
export function safeLink(url: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase()
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'mailto') return null
  return URL.canParse(url.trim()) ? url.trim() : null
}

export type ImageSource =
  /** Ours, or inline in the text: shown. */
  | { kind: 'own'; src: string }
  /** On another host, which would learn about the reader: shown as a link. */
  | { kind: 'external'; url: string; host: string }
  | { kind: 'none' }

/**
 * Resolves the source of an image. `sandbox:` paths are on the API's origin, `assets/tools/` paths below the API's
 * versioned path. `origin` is the API's, such as `https://atrium.example`.
 */
export function resolveImage(url: string, origin: string): ImageSource {
  const given = url.trim()
  const asset = given.indexOf('assets/tools/')
  if (asset >= 0) return locate(`${API_BASE}/${given.slice(asset)}`, origin)
  if (/^sandbox:/i.test(given)) return locate(given.replace(/^sandbox:[/\\\s]*/i, '/'), origin)
  if (/^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i.test(given) || /^blob:/i.test(given))
    return { kind: 'own', src: given }
  // Page-relative addresses are not supported.
  return /^[/\\]/.test(given) || URL.canParse(given) ? locate(given, origin) : { kind: 'none' }
}

/** Uses the browser's URL parser, which drops tabs, treats `\` as `/` and removes `..`. */
function locate(address: string, origin: string): ImageSource {
  if (!URL.canParse(address, origin)) return { kind: 'none' }
  const { href, host, protocol, origin: found } = new URL(address, origin)
  if (found === origin) return { kind: 'own', src: href }
  return /^https?:$/.test(protocol) ? { kind: 'external', url: href, host } : { kind: 'none' }
}
