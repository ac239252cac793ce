import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type { DrawWish, ImageWire } from '../../models/images/image-wire.ts'
import { countedUsage, fromBase64, noImage, readJsonAnswer } from '../../models/images/read-image.ts'
import { ModelError } from '../../models/port.ts'
import { sentenceFor } from '../../models/wire/failures.ts'
import { googleHeaders } from './google-headers.ts'

/** Google's Gemini models that answer with images, and Imagen, which has an address of its own. */
export const googleImages: ImageWire = {
  request: (model, wish, endpoint) => {
    const isImagen = /^imagen/i.test(model)
    return {
      url: operationUrl(
        endpoint.base_url,
        `/models/${encodeURIComponent(model)}:${isImagen ? 'predict' : 'generateContent'}`,
      ),
      headers: { 'content-type': 'application/json', ...googleHeaders(endpoint) },
      body: JSON.stringify(isImagen ? imagenBody(wish) : geminiBody(wish)),
    }
  },
  read: async (answer) => {
    const value = Answer.safeParse(await readJsonAnswer(answer)).data
    const refusal = value?.promptFeedback?.blockReason
    if (refusal) throw new ModelError('bad_request', sentenceFor('bad_request', refusal))
    const parts = value?.candidates?.flatMap(({ content }) => content?.parts ?? []) ?? []
    const base64 =
      parts.find(({ inlineData }) => inlineData)?.inlineData?.data ??
      value?.predictions?.[0]?.bytesBase64Encoded
    if (!base64) throw noImage('it holds no image')
    const used = value?.usageMetadata
    return {
      ...{ image: fromBase64(base64), revised_prompt: value?.predictions?.[0]?.prompt ?? null },
      usage: used ? countedUsage(used.promptTokenCount, used.candidatesTokenCount, 0) : null,
    }
  },
}

const shapes: Record<DrawWish['size'], string | null> = {
  ...{ auto: null, '1024x1024': '1:1', '1536x1024': '3:2', '1024x1536': '2:3' },
}
/** Imagen knows no 3:2. */
const imagenShapes: Record<DrawWish['size'], string | null> = {
  ...{ ...shapes, '1536x1024': '4:3', '1024x1536': '3:4' },
}

function geminiBody({ prompt, size, references }: DrawWish) {
  const pictures = references.map(({ media_type, bytes }) => ({
    inlineData: { mimeType: media_type, data: Buffer.from(bytes).toString('base64') },
  }))
  const aspectRatio = shapes[size]
  return {
    contents: [{ role: 'user', parts: [...pictures, { text: prompt }] }],
    generationConfig: {
      responseModalities: ['IMAGE'],
      ...(aspectRatio && { imageConfig: { aspectRatio } }),
    },
  }
}

function imagenBody({ prompt, size, references }: DrawWish) {
  if (references.length > 0)
    throw new ModelError('bad_request', sentenceFor('bad_request', 'Imagen begins from no other picture'))
  const aspectRatio = imagenShapes[size]
  return { instances: [{ prompt }], parameters: { sampleCount: 1, ...(aspectRatio && { aspectRatio }) } }
}

const Answer = z.object({
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z.array(z.object({ inlineData: z.object({ data: z.string() }).optional() })).optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  predictions: z
    .array(z.object({ bytesBase64Encoded: z.string().optional(), prompt: z.string().nullish() }))
    .optional(),
  usageMetadata: z
    .object({ promptTokenCount: z.number().default(0), candidatesTokenCount: z.number().default(0) })
    .optional()
    .catch(undefined),
})
