import { API_BASE } from '#shared/http.ts'

/** The address of a link that may be followed (http, https, mailto), else null: then only its text is shown. */
export function safeLink(url: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase()
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'mailto') return null
  return URL.canParse(url.trim()) ? url.trim() : null
}

export type ImageSource =
  /** Ours, or inside the text itself: shown. */
  | { kind: 'own'; src: string }
  /** On another host, which would learn who reads it: shown as a link. */
  | { kind: 'external'; url: string; host: string }
  | { kind: 'none' }

/**
 * Where an image comes from. `sandbox:` paths lie on the API's origin, `assets/tools/` paths under the API's
 * versioned path. `origin` is the API's, such as `https://atrium.example`.
 */
export function resolveImage(url: string, origin: string): ImageSource {
  const given = url.trim()
  const asset = given.indexOf('assets/tools/')
  if (asset >= 0) return own(`${API_BASE}/${given.slice(asset)}`, origin)
  if (/^sandbox:/i.test(given)) return own(given.replace(/^sandbox:\/*/i, '/'), origin)
  if (/^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i.test(given) || /^blob:/i.test(given))
    return { kind: 'own', src: given }
  if (/^\/(?![/\\])/.test(given)) return own(given, origin)
  const safe = /^https?:/i.test(given) ? safeLink(given) : null
  if (!safe) return { kind: 'none' }
  const parsed = new URL(safe)
  return parsed.origin === origin
    ? { kind: 'own', src: safe }
    : { kind: 'external', url: safe, host: parsed.host }
}

function own(path: string, origin: string): ImageSource {
  // Resolving takes `..` out, so that the path cannot leave the origin.
  return URL.canParse(path, origin) ? { kind: 'own', src: new URL(path, origin).href } : { kind: 'none' }
}
