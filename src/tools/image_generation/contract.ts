import * as z from 'zod/mini'
import { atMost, Id, trimmed } from '#shared/platform/primitives.ts'
import { MediaReference } from '#shared/tools/media/media.ts'
import { imageQualities, imageSizes } from '#shared/tools/tools/image-choices.ts'
import { tool } from '#shared/tools/tools/tool.ts'

/** A stored image, with its cost in dollars (null: no known price) and its duration. */
const Image = z.extend(MediaReference, {
  filename: z.string(),
  revised_prompt: z.nullable(z.string()),
  error: z.null(),
  price: z.nullable(z.number()),
  ms: z.int(),
})
/** A missing image, with the provider's reason. */
const Failed = z.object({
  type: z.literal('media_error'),
  url: z.null(),
  asset_filename: z.string(),
  filename: z.string(),
  revised_prompt: z.null(),
  error: z.string(),
})

const imageGeneration = tool({
  id: 'image_generation',
  name: 'Image generation',
  icon: 'image',
  description:
    'Makes images from a description in words: drawings, illustrations, photographs, logos. Describe in the prompt what is to be seen, its style and its mood. With document_ids it changes or combines pictures of the person, or pictures that tools have made (the id of their result), instead of beginning from nothing. The person sees the images; do not describe them or link to them in your answer.',
  input: z.object({
    prompt: trimmed(1, 20_000),
    n: z._default(z.int().check(z.gte(1), z.lte(10)), 1),
    quality: z._default(z.enum(imageQualities), 'auto'),
    size: z._default(z.enum(imageSizes), 'auto'),
    document_ids: z.optional(z.array(Id).check(atMost(10))),
  }),
  output: z.object({
    images: z.array(z.discriminatedUnion('type', [Image, Failed])),
    /** The model, as `provider/model`. */
    model: z.string(),
  }),
  examples: [
    {
      images: [
        {
          ...{ type: 'media_error', url: null, asset_filename: 'image-1', filename: 'image-1' },
          ...{ revised_prompt: null, error: 'The model provider refused the request: unsafe.' },
        },
      ],
      model: 'openai/gpt-image-1',
    },
  ],
  repeatable: true,
  takes: 'image_model',
  needs: 'image_model',
  durable: true,
  // Ten images with the provider's time limit each.
  limitSeconds: 2_700,
})

export default imageGeneration
