import * as z from 'zod/mini'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { NamedFile } from '#shared/tools/media/media.ts'

const Made = z.extend(NamedFile, {
  ...{ filename: z.optional(z.string()), revised_prompt: z.nullish(z.string()) },
  ...{ price: z.nullish(z.number()), ms: z.optional(z.number()) },
})
const Failed = z.looseObject({ type: z.literal('media_error'), error: z.string() })
const Result = z.object({
  images: z.array(z.union([Made, Failed])),
  model: z.optional(z.string()),
})
export type MadeImage = z.infer<typeof Made>

/** One position of the gallery. A preview is an unfinished image. */
export type Slot =
  | { kind: 'waiting' }
  | { kind: 'preview'; url: string }
  | { kind: 'made'; image: MadeImage }
  | { kind: 'failed'; error: string }

/** The state of a call, for its card. */
export type ImageWork = {
  slots: Slot[]
  /** The image being made and its latest preview; null before and after. */
  now: { image: number; total: number; preview: number } | null
  model: string | null
}

const Told = z.object({
  image: z.optional(z.int()),
  total: z.optional(z.int()),
  preview: z.optional(z.int()),
  error: z.optional(z.string()),
  url: z.optional(z.string()),
  partial_image_index: z.optional(z.int()),
})
/** Maximum images per call. */
const MAX_IMAGES = 10

/** Derives the images of a call from its events and its result. */
export function readImages(events: readonly ToolEvent[], result: unknown, wanted: number): ImageWork {
  const done = Result.safeParse(result).data
  if (done)
    return {
      ...{ now: null, model: done.model ?? null },
      slots: done.images.map(
        (image): Slot =>
          image.type === 'media_error'
            ? { kind: 'failed', error: String(image.error) }
            : { kind: 'made', image: image as MadeImage },
      ),
    }
  const work: ImageWork = { slots: [], now: null, model: null }
  for (let at = 0; at < Math.min(wanted, MAX_IMAGES); at += 1) work.slots.push({ kind: 'waiting' })
  for (const { phase, status, data } of events) {
    const told = Told.safeParse(data ?? {}).data
    if (!told) continue
    if (phase === 'GENERATION') hearPhase(work, status ?? '', told)
    const at = told.partial_image_index ?? -1
    if (told.url !== undefined && at >= 0 && at < MAX_IMAGES)
      work.slots[at] = { kind: 'preview', url: told.url }
  }
  return work
}

function hearPhase(work: ImageWork, status: string, told: z.infer<typeof Told>): void {
  const { image = 1, total = work.slots.length, preview = 0, error } = told
  if (image < 1 || image > MAX_IMAGES) return
  if (status === 'failed') work.slots[image - 1] = { kind: 'failed', error: error ?? '' }
  work.now = { image, total, preview }
}
