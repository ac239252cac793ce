import * as z from 'zod/mini'

/**
 * What a use of a tool costs: nothing, what the model of the chat takes for it, what a model takes for each image, or nobody here knows a price.
 */
export const ToolPrice = z.enum(['free', 'by_model', 'by_image', 'unpriced'])
export type ToolPrice = z.infer<typeof ToolPrice>

/** What a tool may need of its installation: a model that makes images, a box that programs can be run in. */
export const ToolNeed = z.enum(['image_model', 'code_box'])
export type ToolNeed = z.infer<typeof ToolNeed>

/** Something that is missing before a tool can be used; `hint` is for administrators, others have null. */
export const MissingPart = z.object({ part: ToolNeed, hint: z.nullable(z.string()) })
export type MissingPart = z.infer<typeof MissingPart>
