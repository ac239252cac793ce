import * as z from 'zod'
import { findMarkers } from '#shared/platform/citations/citation-tags.ts'
import { cutPoint } from '../cut-point.ts'
import { namedLink, withTrueLinks } from './true-links.ts'

const Blocks = z.array(
  z.object({
    sources: z
      .array(
        z.object({
          id: z.string(),
          title: z.nullish(z.string()),
          url: z.nullish(z.string()),
          passage: z.nullish(z.object({ document_id: z.string(), document_name: z.string() })),
        }),
      )
      .optional(),
  }),
)
/** Characters of an answer; a longer one is continued in the product. */
const MAX_ANSWER = 12_000

type Composed = { content: string; blocks: unknown; publicUrl: string; sources: string; more: string }

/** Returns a reply as Markdown with each citation as a link to our viewer or the page, and a list of its sources. */
export function composeAnswer({ content, blocks, publicUrl, sources, more }: Composed): string {
  const known = new Map(
    (Blocks.safeParse(blocks).data ?? []).flatMap((block) =>
      (block.sources ?? []).map((one) => [one.id, one]),
    ),
  )
  const cited = new Map<string, { mark: string; line: string }>()
  let [text, last] = ['', 0]
  for (const { id, title, number, at, length } of findMarkers(content)) {
    const { passage, url, title: named } = known.get(id) ?? {}
    const link = passage
      ? `${publicUrl}/documents/${passage.document_id}?chunk=${id}`
      : (url ?? (title === null ? null : id))
    text += withTrueLinks(content.slice(last, at))
    last = at + length
    if (link === null) continue
    const mark = `[[${number}]](${linkable(link)})`
    text += mark
    const name = labelOf(passage?.document_name || named || title || link)
    const source = passage ? `[${name}](${linkable(link)})` : namedLink(name, linkable(link))
    cited.set(id, { mark, line: `[${number}] ${source}` })
  }
  text = (text + withTrueLinks(content.slice(last))).trim()
  if (text.length > MAX_ANSWER) text = `${text.slice(0, cutPoint(text, MAX_ANSWER, linkAround))}\n\n${more}`
  const listed = [...cited.values()].filter(({ mark }) => text.includes(mark)).map(({ line }) => line)
  return listed.length === 0 ? text : `${text}\n\n${sources}\n${listed.join('\n')}`
}

/** Parentheses and bars end a link. */
const linkable = (url: string) => url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('|', '%7C')
const labelOf = (name: string) => name.replace(/[[\]()\n*]/g, ' ').trim()

/** A link, or a citation. */
const LINK = /\[{1,2}[^[\]\n]{0,500}\]{1,2}\([^)\s]{0,4000}\)/y

function linkAround(text: string, at: number): number | null {
  const inner = text.lastIndexOf('[', at - 1)
  const open = text[inner - 1] === '[' ? inner - 1 : inner
  LINK.lastIndex = Math.max(0, open)
  const link = open < 0 ? null : LINK.exec(text)
  return link && open + link[0].length > at ? open : null
}

/** Returns the passages that an answer cites. */
export const citedPassages = (content: string): string[] => [
  ...new Set(findMarkers(content).flatMap(({ id, title }) => (title === null ? [id] : []))),
]
