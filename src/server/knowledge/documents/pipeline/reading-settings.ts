import type { Limits, Settings } from '../../../../parsers/elements/port.ts'
import { ocrLanguages } from '../../../../parsers/ocr/languages.ts'
import { authorize, operationUrl } from '../../../models/models/models.ts'
import type { Config } from '../../../platform/config/config.ts'
import { MEGABYTE } from '../../../platform/limits.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { INNER_DEPTH } from '../library/add-store.ts'

/** `depth` is the number of documents that contain the file. */
export function readingLimits(config: Config, depth: number): Limits {
  return {
    pages: config.ATRIUM_LIMIT_PAGES,
    characters: 20 * MEGABYTE,
    rows: config.ATRIUM_LIMIT_ROWS,
    unpackedBytes: config.ATRIUM_LIMIT_UNPACKED_MB * MEGABYTE,
    ...{ entries: 10_000, depth: Math.max(0, INNER_DEPTH - depth) },
  }
}

/** Returns the parser settings of this installation: OCR languages, transcription endpoint and models folder. */
export async function readingSettings({
  config,
  models,
}: Pick<RunDeps, 'config' | 'models'>): Promise<Settings> {
  return {
    ocrLanguages,
    transcription: await findTranscription({ config, models }),
    modelsFolder: config.modelsDir,
  }
}

async function findTranscription({
  config,
  models,
}: Pick<RunDeps, 'config' | 'models'>): Promise<Settings['transcription']> {
  const [provider, ...rest] = (config.ATRIUM_TRANSCRIPTION_MODEL ?? '').split('/')
  if (!provider) return null
  const engine = (await models.connections()).find(
    (one) => one.provider === provider && one.enabled && !one.problem,
  )
  if (!engine?.base_url) return null
  // A recording of a class that the engine may not receive is not transcribed.
  if (!(await models.mayReceive(`${provider}/`))) return null
  const model = rest.join('/')
  // A failing sign-in must not block files that need no transcription.
  const withoutKey = { ...engine, api_key: null }
  const { api_key: key, key_header } = await authorize(engine).catch(() => withoutKey)
  const header = key_header === 'api-key' ? key_header : undefined
  return { url: operationUrl(engine.base_url, '', model), key, key_header: header, model }
}
