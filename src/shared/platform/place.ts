import * as z from 'zod/mini'

/** Left, top, right and bottom as fractions (0 to 1) of the displayed page, from its upper left corner. */
export const Box = z.tuple([z.number(), z.number(), z.number(), z.number()])
export type Box = z.infer<typeof Box>

export const PageBox = z.object({ page: z.int(), box: Box })
export type PageBox = z.infer<typeof PageBox>

/** Location in a document; each format fills in the fields it has. */
export const Place = z.object({
  page: z.optional(z.int()),
  boxes: z.optional(z.array(PageBox)),
  sheet: z.optional(z.string()),
  /** Cell range, such as `B2:D14`. */
  range: z.optional(z.string()),
  /** Seconds. */
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  /** Range in the digitized Markdown, in UTF-16 units, end excluded. */
  span: z.optional(z.tuple([z.int(), z.int()])),
})
export type Place = z.infer<typeof Place>
