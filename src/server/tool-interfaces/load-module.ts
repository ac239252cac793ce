import { createHash } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { RemoteUi } from '#shared/tool-interfaces/tool-interfaces.ts'
import type { Config } from '../config.ts'
import type { Outbound } from '../outbound/outbound.ts'

const MOST_BYTES = 2 * 1024 * 1024
const SECONDS = 10
/** Bytes of modules this process keeps. */
const KEPT_BYTES = 32 * 1024 * 1024

/** The code as it was approved, or the hash of what came in its place. */
export type LoadedModule = { ok: true; code: Uint8Array } | { ok: false; received: string }

/** @throws AppError `unavailable`, `too_large`, `invalid` for an address that is not allowed */
export type LoadModule = (ui: Pick<RemoteUi, 'url' | 'sri'>) => Promise<LoadedModule>

type Deps = { outbound: Outbound; config: Pick<Config, 'ATRIUM_TOOLS_PRIVATE'> }

/** The hash of what stands at an address now. @throws as `LoadModule` */
export async function hashModule(deps: Deps, url: string): Promise<string> {
  return hashOf(await fetchModule(deps, url), 'sha384-')
}

/** Fetches modules and checks them. What has the right hash never changes: it is fetched once. */
export function createModuleLoader(deps: Deps): LoadModule {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const keep = (sri: string, code: Uint8Array) => {
    kept.set(sri, code)
    bytes += code.byteLength
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= KEPT_BYTES) break
      kept.delete(oldest)
      bytes -= byteLength
    }
  }
  return async ({ url, sri }) => {
    const known = kept.get(sri)
    if (known) return { ok: true, code: known }
    const code = await fetchModule(deps, url)
    const received = hashOf(code, sri)
    if (received !== sri) return { ok: false, received }
    if (!kept.has(sri)) keep(sri, code)
    return { ok: true, code }
  }
}

async function fetchModule({ outbound, config }: Deps, url: string): Promise<Uint8Array> {
  const answer = await outbound.fetch(url, {
    ...{ maxBytes: MOST_BYTES, seconds: SECONDS, mostRedirects: 2 },
    trusted: config.ATRIUM_TOOLS_PRIVATE,
  })
  if (answer.ok) return answer.bytes
  throw new AppError('unavailable', `${new URL(url).host} answered with an error (${answer.status}).`)
}

/** The hash of bytes by the algorithm another hash was made with. */
function hashOf(bytes: Uint8Array, sri: string): string {
  const algorithm = sri.slice(0, sri.indexOf('-'))
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`
}
