import * as z from 'zod/mini'

/**
 * Price of a tool call: free, the chat model's price, an image model's price per image, or unknown.
 */
export const ToolPrice = z.enum(['free', 'by_model', 'by_image', 'unpriced'])
export type ToolPrice = z.infer<typeof ToolPrice>

/** A requirement of a tool: an image model, or a sandbox for programs. */
export const ToolNeed = z.enum(['image_model', 'code_box'])
export type ToolNeed = z.infer<typeof ToolNeed>

/**
 * A requirement that is not met, or a switched-off server. `hint` is for a person who can fix it: a setting or the id of
 * the server; null for everybody else.
 */
export const MissingPart = z.object({
  part: z.enum([...ToolNeed.options, 'switch']),
  hint: z.nullable(z.string()),
})
export type MissingPart = z.infer<typeof MissingPart>
