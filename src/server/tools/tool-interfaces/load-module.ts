import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { MAX_MODULE_BYTES, type ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { FileStore } from '../../platform/files/files.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { findFileKey } from './store.ts'

const SECONDS = 10
/** Cached bytes of modules per process. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024

/** The approved code, or the hash of different code found in its place. */
export type LoadedModule = { ok: true; code: Uint8Array } | { ok: false; received: string }

/** @throws AppError `unavailable`, `too_large`, `invalid` for an address that is not allowed */
export type LoadModule = (toolId: string, ui: ModuleUi) => Promise<LoadedModule>

type Deps = {
  outbound: Outbound
  config: Pick<Config, 'ATRIUM_TOOLS_PRIVATE'>
  db: Kysely<Tables>
  files: FileStore
}

/** Returns the hash of the code at an address. @throws as `LoadModule` */
export async function hashModule(deps: Deps, url: string): Promise<string> {
  return hashOf(await fetchModule(deps, url))
}

/** Loads modules from their address or from storage, and checks them. Code with the approved hash never changes, so it is cached. */
export function createModuleLoader(deps: Deps): LoadModule {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const keep = (sri: string, code: Uint8Array) => {
    kept.set(sri, code)
    bytes += code.byteLength
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= MAX_CACHED_BYTES) break
      kept.delete(oldest)
      bytes -= byteLength
    }
  }
  return async (toolId, ui) => {
    const { sri } = ui
    const known = kept.get(sri)
    if (known) return { ok: true, code: known }
    const code = ui.kind === 'remote' ? await fetchModule(deps, ui.url) : await readModule(deps, toolId)
    const received = hashOf(code, sri)
    if (received !== sri) return { ok: false, received }
    if (!kept.has(sri)) keep(sri, code)
    return { ok: true, code }
  }
}

async function readModule({ db, files }: Deps, toolId: string): Promise<Uint8Array> {
  const key = await findFileKey(db, toolId)
  if (key === null) throw new AppError('not_found', 'The file of this interface is gone.')
  return buffer(await files.read(key))
}

async function fetchModule({ outbound, config }: Deps, url: string): Promise<Uint8Array> {
  const answer = await outbound.fetch(url, {
    ...{ maxBytes: MAX_MODULE_BYTES, seconds: SECONDS, maxRedirects: 2 },
    trusted: config.ATRIUM_TOOLS_PRIVATE,
  })
  if (answer.ok) return answer.bytes
  throw new AppError('unavailable', `${new URL(url).host} answered with an error (${answer.status}).`)
}

/** Returns the hash of bytes, with the algorithm of another hash. */
export function hashOf(bytes: Uint8Array, sri = 'sha384-'): string {
  const algorithm = sri.slice(0, sri.indexOf('-'))
  return `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`
}
