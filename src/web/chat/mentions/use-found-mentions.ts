import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listMentionable, type MentionKind } from '#shared/chat/messages/mentions.ts'
import { searchPalette } from '#shared/chat/palette/palette.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useNameOf, useTools } from '../../tools/tools/tools.ts'

/** Results of each kind. */
const LIMIT = 4
/** Results in the list. */
const MAX_SHOWN = 12

/** Something that a message may name; a prompt opens its form instead. */
export type FoundMention = { kind: MentionKind | 'prompt'; id: string; name: string; detail: string | null }

/** Returns the things that match the words, best match first. Tools are matched by name in the browser. */
export function useFoundMentions(
  sessionId: string,
  words: string,
): {
  found: readonly FoundMention[]
  /** The words that they belong to; null before the first answer. */
  foundFor: string | null
} {
  const { data: tools } = useTools()
  const nameOf = useNameOf()
  const { data } = useQuery({
    queryKey: ['palette', 'mentions', sessionId, words],
    queryFn: async ({ signal }) => {
      const query = { ...(words ? { q: words } : {}), limit: LIMIT }
      const [{ items }, people] = await Promise.all([
        call(searchPalette, { query, signal }),
        // A chat that begins offline is not on the server yet.
        call(listMentionable, { params: { sessionId }, query, signal, quiet: true }).catch(() => ({
          items: [],
        })),
      ])
      return { words, items, people: people.items }
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  })
  if (!data) return { found: [], foundFor: null }
  // Both belong to the same words, so that nothing moves when the answer comes.
  const named = (tools ?? []).flatMap((tool) => {
    const name = nameOf(tool)
    if (tool.policy === 'never' || !hasWords(name, data.words)) return []
    return [{ kind: 'tool' as const, id: tool.id, name, detail: tool.description }]
  })
  const items = data.items.map(({ kind, id, title, detail }) => ({ kind, id, name: title, detail }))
  const people = data.people.map(({ id, name }) => ({ kind: 'person' as const, id, name, detail: null }))
  const others = MAX_SHOWN - people.length - Math.min(named.length, LIMIT)
  const found = [...people, ...items.slice(0, others), ...named.slice(0, LIMIT)]
  return { found, foundFor: data.words }
}

function hasWords(name: string, words: string): boolean {
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const folded = ` ${fold(name)}`
  return fold(words)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => folded.includes(` ${word}`) || (word.length > 2 && folded.includes(word)))
}
