import * as z from 'zod'
import { type JsonRequests, part } from '../../requests/json-requests.ts'
import { listAll, Rich } from './requests-to-notion.ts'

/** Bounds of one page: nesting, blocks and requests. The rest is left out. */
const [MAX_DEPTH, MAX_BLOCKS, MAX_REQUESTS] = [12, 20_000, 400]
const MAX_LIST_PAGES = 100

/** Blocks whose content is an item of its own. */
const separate = new Set(['child_page', 'child_database'])

const Address = z.nullish(z.object({ url: z.nullish(z.string()) }))
const Content = z.object({
  rich_text: z.nullish(z.array(Rich)),
  caption: z.nullish(z.array(Rich)),
  cells: z.nullish(z.array(z.array(Rich))),
  checked: z.nullish(z.boolean()),
  has_column_header: z.nullish(z.boolean()),
  expression: z.nullish(z.string()),
  title: z.nullish(z.string()),
  name: z.nullish(z.string()),
  url: z.nullish(z.string()),
  external: Address,
  icon: z.nullish(z.object({ emoji: z.nullish(z.string()) })),
})
const Listed = z.looseObject({ id: z.string(), type: z.string(), has_children: z.nullish(z.boolean()) })

/** A block with its content and the blocks in it. */
export type Block = { type: string; content: z.infer<typeof Content>; children: Block[] }

/** Reads the blocks of a page. `isComplete` is false when bounds left out some. */
export async function readBlocks(
  requests: JsonRequests,
  pageId: string,
  signal: AbortSignal,
): Promise<{ blocks: Block[]; isComplete: boolean }> {
  const left = { blocks: MAX_BLOCKS, requests: MAX_REQUESTS }
  let isComplete = true
  const read = async (id: string, depth: number): Promise<Block[]> => {
    if (depth > MAX_DEPTH || left.requests <= 0 || left.blocks <= 0) {
      isComplete = false
      return []
    }
    const maxPages = Math.min(MAX_LIST_PAGES, left.requests)
    const list = await listAll(requests, `blocks/${part(id)}/children`, Listed, { maxPages, signal })
    isComplete &&= list.isComplete && list.entries.length <= left.blocks
    const entries = list.entries.slice(0, left.blocks)
    left.requests -= Math.max(1, Math.ceil(list.entries.length / 100))
    left.blocks -= entries.length
    const blocks: Block[] = []
    for (const block of entries) {
      const { data = {} } = Content.safeParse(block[block.type])
      const children = block.has_children && !separate.has(block.type) ? await read(block.id, depth + 1) : []
      blocks.push({ type: block.type, content: data, children })
    }
    return blocks
  }
  const blocks = await read(pageId, 0)
  return { blocks, isComplete }
}
