import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { AppError } from '#shared/platform/errors.ts'
import { createThread } from '../../platform/outbound/foreign/thread.ts'
import { codeUrl } from '../../platform/process/checkout.ts'

const framing = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'fencedframe'])

type Node = { type: string; tagName?: string; children?: Node[]; content?: Node }

const tooHard = () =>
  new AppError('unavailable', 'The page of this interface is too large or too deeply nested.')
const thread = createThread<string, string>(codeUrl('src/server/tools/tool-interfaces/frames-thread.ts'), {
  ...{ seconds: 5, tooMuch: tooHard },
})

/** Does the same as `withoutFrames` in a thread, because a hostile page could be slow to parse. @throws AppError `unavailable` */
export async function stripFrames(html: string): Promise<string> {
  try {
    return await thread.run(html)
  } catch (error) {
    throw error instanceof AppError ? error : tooHard()
  }
}

/**
 * Returns a page without nested pages, or unchanged if it has none. @throws AppError `unavailable` if parsing the result
 * again would produce some
 */
export function withoutFrames(html: string): string {
  const tree = fromHtml(html) as Node
  if (!strip(tree)) return html
  const stripped = toHtml(tree as Parameters<typeof toHtml>[0], { allowDangerousHtml: false })
  if (strip(fromHtml(stripped) as Node))
    throw new AppError('unavailable', 'The page of this interface has nested pages.')
  return stripped
}

/** Removes them. Returns whether there were any. */
function strip(node: Node): boolean {
  let found = false
  if (node.content) found = strip(node.content)
  if (!node.children) return found
  const kept = node.children.filter(({ tagName }) => !framing.has(tagName ?? ''))
  found ||= kept.length < node.children.length
  node.children = kept
  for (const child of kept) if (strip(child)) found = true
  return found
}
