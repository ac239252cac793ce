import * as z from 'zod/mini'

/** Left, top, right, bottom as shares (0 to 1) of the page as it is shown, from its upper left corner. */
export const Box = z.tuple([z.number(), z.number(), z.number(), z.number()])
export type Box = z.infer<typeof Box>

export const PageBox = z.object({ page: z.int(), box: Box })
export type PageBox = z.infer<typeof PageBox>

/** Where something stands in its document; each format gives what it has. */
export const Place = z.object({
  page: z.optional(z.int()),
  boxes: z.optional(z.array(PageBox)),
  sheet: z.optional(z.string()),
  /** Cells, as `B2:D14`. */
  range: z.optional(z.string()),
  /** Seconds. */
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  /** In the digitized Markdown, in UTF-16 units, the end excluded. */
  span: z.optional(z.tuple([z.int(), z.int()])),
})
export type Place = z.infer<typeof Place>
