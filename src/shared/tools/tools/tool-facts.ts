import * as z from 'zod/mini'

/**
 * What a use of a tool costs: nothing, what the model of the chat takes for it, what a model takes for each image, or nobody here knows a price.
 */
export const ToolPrice = z.enum(['free', 'by_model', 'by_image', 'unpriced'])
export type ToolPrice = z.infer<typeof ToolPrice>

/** What a tool may need of its installation: a model that makes images, a box that programs can be run in. */
export const ToolNeed = z.enum(['image_model', 'code_box'])
export type ToolNeed = z.infer<typeof ToolNeed>

/**
 * What keeps a tool from being used: something its installation lacks, or the switch at its server; `hint` is for who can mend it, a setting or the id
 * of the server, and null for others.
 */
export const MissingPart = z.object({
  part: z.enum([...ToolNeed.options, 'switch']),
  hint: z.nullable(z.string()),
})
export type MissingPart = z.infer<typeof MissingPart>
