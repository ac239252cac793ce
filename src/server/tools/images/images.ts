import { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import type { MediaReference } from '#shared/tools/media/media.ts'
import { NO_IMAGE_MODEL } from '#shared/tools/tools/image-choices.ts'
import type { ImageOutcome, ImagePort, ImageWish } from '#shared/tools/tools/image-port.ts'
import { assertInScope } from '../../knowledge/rag/rag.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Drawn, ModelError } from '../../models/models/models.ts'
import { isUnpaid } from '../../money/billing/billing.ts'
import { noteDocuments } from '../../platform/access/classes/classes.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import { type Leaf, type RunContext, readPerson } from '../../runs/runs/runs.ts'
import { dropMedia, keepMedia } from '../media/media.ts'
import { pictureKind } from './picture-kind.ts'
import { findPictures, readPictures } from './references.ts'

export { listPictures } from './store.ts'

type Deps = Pick<ModelDeps, 'db' | 'config' | 'files' | 'models' | 'outbound' | 'audiences'>
type Run = Pick<RunContext, 'id' | 'input'>

/** Provider errors that would recur with the next image. */
const hopeless: ModelError['kind'][] = [
  'unauthorized',
  'not_found',
  'wrong_address',
  'not_available',
  'unreachable',
]

/** Makes images for a run and stores them as its media. `paying` is the current step. */
export function createImagePort(
  deps: Deps,
  run: Run,
  executionId: string,
  signal: AbortSignal,
  paying: () => Leaf | null,
): ImagePort {
  return {
    findModel: async () => {
      const model = await deps.models.drawer()
      if (model === null) throw new AppError('not_available', NO_IMAGE_MODEL)
      return model
    },
    check: async (ids) => {
      if (ids.length === 0) return
      await readPictures(deps, await findNamed(deps, run, ids))
    },
    make: async (model, wish, name, show) => {
      const leaf = paying()
      const question = { role: 'user' as const, content: [{ type: 'text' as const, text: wish.prompt }] }
      await leaf?.reserve(model, { messages: [question], tools: [] })
      const previews = keepPreviews(deps, run, `preview/${executionId}/${name}-`, show)
      try {
        await previews.clear()
        const { outcome, usage } = await drawAndKeep(deps, run, model, wish, name, signal, previews.add)
        if (usage) leaf?.bill({ model_name: model, usage, reason: 'tool' })
        return outcome
      } catch (error) {
        signal.throwIfAborted()
        const told = explain(error)
        if (!told) throw error
        return { ok: false, ...told }
      } finally {
        await previews.clear()
      }
    },
    keep: (name, bytes) => keepImage(deps, run, name, bytes),
  }
}

/** Returns the pictures named by a call that its chat may use. @throws AppError */
async function findNamed(deps: Deps, run: Run, ids: string[]) {
  const person = await readPerson(deps, run.input)
  await assertInScope(deps, person, run.input, ids)
  return findPictures(deps, person, ids)
}

type Made = { outcome: ImageOutcome; usage: Drawn['usage'] | null }

async function drawAndKeep(
  deps: Deps,
  run: Run,
  model: string,
  { document_ids, ...wish }: ImageWish,
  name: string,
  signal: AbortSignal,
  show: (bytes: Uint8Array) => void,
): Promise<Made> {
  const startedAt = performance.now()
  const found = document_ids.length > 0 ? await findNamed(deps, run, document_ids) : []
  await noteDocuments(deps.db, document_ids)
  const references = await readPictures(deps, found)
  const drawn = await deps.models.draw(model, { ...wish, references }, signal, show)
  const { usage, revised_prompt } = drawn
  const price = await deps.models.price(model, usage)
  try {
    const image = await keepImage(deps, run, name, await fetchDrawn(deps, drawn, signal))
    const ms = Math.round(performance.now() - startedAt)
    const amount = price.unpriced ? null : price.amount
    return { outcome: { ok: true, image, revised_prompt, price: amount, ms }, usage }
  } catch (error) {
    // The provider has made the image, so it is billed even if it cannot be stored.
    const told = explain(error)
    if (!told) throw error
    return { outcome: { ok: false, ...told }, usage }
  }
}

/** Returns the bytes of an image. Some servers return only an address, on their machine or on the internet. */
async function fetchDrawn(
  { outbound, config, models }: Deps,
  { image }: Drawn,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (typeof image !== 'string') return image
  const trusted = (await models.connections()).map(({ base_url }) => base_url)
  const maxBytes = config.ATRIUM_LIMIT_IMAGE_MB * MEGABYTE
  const answer = await outbound.fetch(image, { maxBytes, trusted, signal, seconds: 60 })
  if (answer.ok) return answer.bytes
  throw new AppError('unavailable', 'The image was made, but it cannot be downloaded from its address.')
}

async function keepImage(deps: Deps, run: Run, name: string, bytes: Uint8Array): Promise<MediaReference> {
  const megabytes = deps.config.ATRIUM_LIMIT_IMAGE_MB
  if (bytes.length > megabytes * MEGABYTE)
    throw new AppError('too_large', `The image has more than ${megabytes} MB.`)
  const kind = pictureKind(bytes)
  if (kind === null) throw new AppError('unavailable', 'The provider sent something that is not a picture.')
  const made = { name: `${name}.${kind}`, size: bytes.length, open: () => Readable.from([bytes]) }
  const [kept] = await keepMedia(deps, { userId: run.input.user_id, runId: run.id }, [made])
  return kept as MediaReference
}

/** Stores previews of an image while it is made, and deletes them afterwards. */
function keepPreviews(deps: Deps, run: Run, nameStart: string, show: (url: string, preview: number) => void) {
  let count = 0
  let last: Promise<unknown> = Promise.resolve()
  const keep = async (bytes: Uint8Array, preview: number) =>
    show((await keepImage(deps, run, `${nameStart}${preview}`, bytes)).url, preview)
  return {
    add: (bytes: Uint8Array) => {
      count += 1
      const preview = count
      // A failed preview does not affect the image.
      last = last.then(() => keep(bytes, preview)).catch(() => undefined)
    },
    clear: async () => {
      await last
      await dropMedia(deps, { runId: run.id, nameStart })
    },
  }
}

/** Explains in a sentence why an image failed; null for errors that end the run or are bugs. */
function explain(error: unknown): { error: string; isHopeless: boolean } | null {
  if (error instanceof ModelError) return { error: error.message, isHopeless: hopeless.includes(error.kind) }
  if (!(error instanceof AppError) || isUnpaid(error)) return null
  return { error: error.detail, isHopeless: error.code !== 'unavailable' }
}
