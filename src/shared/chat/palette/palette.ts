import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, trimmed } from '../../platform/primitives.ts'

/** Kinds of things that the server finds. Pages, settings and actions are known to the browser. */
export const kinds = ['session', 'workspace', 'document', 'assistant', 'prompt'] as const
export const PaletteKind = z.enum(kinds)
export type PaletteKind = z.infer<typeof PaletteKind>

/** Maximum results of one kind. */
export const MAX_PER_KIND = 20
/** Maximum words of a search; further words are ignored. */
export const MAX_WORDS = 8

export const PaletteItem = z.object({
  kind: PaletteKind,
  id: Id,
  title: z.string(),
  /** Command of a prompt, beginning of an assistant’s description; otherwise null. */
  detail: z.nullable(z.string()),
  /** Time of the last change, or of the caller’s last use when that is later. */
  used_at: z.string(),
  is_archived: z.boolean(),
})
export type PaletteItem = z.infer<typeof PaletteItem>

const KindList = trimmed(0, 100).check(
  z.refine((list) => list.split(',').every((kind) => PaletteKind.safeParse(kind).success)),
)

export const searchPalette = route({
  method: 'GET',
  path: '/palette',
  access: 'user',
  fails: ['not_found'],
  summary:
    'Find chats, projects, documents, assistants and prompts by the beginnings of their words, in any order; the best matches first, then the most recently used. Without words the recently used ones',
  query: z.object({
    q: z.optional(trimmed(0, 200)),
    /** Wanted kinds, separated by commas; default: all. */
    kinds: z.optional(KindList),
    /** Only this project, its chats and documents, and prompts shared with it. */
    workspace_id: z.optional(Id),
    /** Results per kind. */
    limit: queryInt({ min: 1, max: MAX_PER_KIND, fallback: 6 }),
  }),
  answer: z.object({ items: z.array(PaletteItem).check(z.maxLength(kinds.length * MAX_PER_KIND)) }),
})

export const noteUse = route({
  method: 'POST',
  path: '/palette/uses',
  access: 'user',
  fails: ['not_found'],
  summary: 'Note that the caller opened something, so that later searches rank it higher',
  status: 204,
  body: z.object({ kind: PaletteKind, id: Id }),
})
