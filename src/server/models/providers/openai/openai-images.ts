import * as z from 'zod'
import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type { Drawn, DrawWish, ImageWire } from '../../models/images/image-wire.ts'
import {
  countedUsage,
  fromBase64,
  noImage,
  readEvents,
  readJsonAnswer,
} from '../../models/images/read-image.ts'
import { failureInStream } from '../../models/wire/failures.ts'

/** Models that show how far they are, and know quality and sizes by these names. */
const isNative = (model: string) => /^(?:chatgpt|gpt)-image/i.test(model)
/** So often a model that can shows an image while it makes it. */
const PREVIEWS = 2

/** OpenAI's `images/generations` and `images/edits`, which compatible servers speak too. */
export const openaiImages: ImageWire = {
  request: (model, wish, endpoint) => {
    const headers: Record<string, string> = {
      accept: isNative(model) ? 'text/event-stream, application/json' : 'application/json',
      ...keyHeaders(endpoint),
    }
    const fields = fieldsOf(model, wish)
    if (wish.references.length > 0)
      return {
        url: operationUrl(endpoint.base_url, '/images/edits', model),
        headers,
        body: formOf(fields, wish),
      }
    return {
      url: operationUrl(endpoint.base_url, '/images/generations', model),
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }
  },
  read: async (answer, show) => {
    const isStream = answer.headers.get('content-type')?.includes('text/event-stream')
    return isStream ? readStream(answer, show) : readWhole(await readJsonAnswer(answer))
  },
}

function fieldsOf(model: string, { prompt, quality, size }: DrawWish) {
  return {
    ...{ model, prompt, n: 1 },
    ...(size !== 'auto' && { size }),
    ...(isNative(model)
      ? { ...(quality !== 'auto' && { quality }), stream: true, partial_images: PREVIEWS }
      : { response_format: 'b64_json' }),
  }
}

function formOf(fields: Record<string, unknown>, { references }: DrawWish): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  const field = references.length > 1 ? 'image[]' : 'image'
  for (const { name, media_type, bytes } of references)
    form.append(field, new Blob([bytes], { type: media_type }), name)
  return form
}

const Used = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_details: z.object({ image_tokens: z.number().optional() }).optional().catch(undefined),
})
const Item = z.object({
  b64_json: z.string().nullish(),
  url: z.string().nullish(),
  revised_prompt: z.string().nullish(),
})
const Whole = z.object({ data: z.array(Item).min(1), usage: Used.nullish().catch(null) })
const Event = z.object({
  type: z.string().default(''),
  b64_json: z.string().nullish(),
  revised_prompt: z.string().nullish(),
  usage: Used.nullish().catch(null),
  error: z.unknown().optional(),
})

type Read = Omit<Drawn, 'usage'> & { usage: Drawn['usage'] | null }

function readWhole(value: unknown): Read {
  const whole = Whole.safeParse(value).data
  const item = whole?.data[0]
  const image = item?.b64_json ? fromBase64(item.b64_json) : item?.url
  if (!image) throw noImage('it holds no image')
  return { image, revised_prompt: item?.revised_prompt ?? null, usage: usageOf(whole?.usage) }
}

async function readStream(answer: Response, show: (bytes: Uint8Array) => void): Promise<Read> {
  const found: { last: Read | null } = { last: null }
  await readEvents(answer, (value) => {
    const event = Event.safeParse(value).data
    if (!event) return
    if (event.type === 'error' || event.error) throw failureInStream(event.error ?? value)
    if (!event.b64_json) return
    const image = fromBase64(event.b64_json)
    if (event.type.endsWith('.partial_image')) show(image)
    else found.last = { image, revised_prompt: event.revised_prompt ?? null, usage: usageOf(event.usage) }
  })
  if (!found.last) throw noImage('it holds no image')
  return found.last
}

const usageOf = (used: z.output<typeof Used> | null | undefined) =>
  used
    ? countedUsage(used.input_tokens, used.output_tokens, used.input_tokens_details?.image_tokens ?? 0)
    : null
