import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text, trimmed } from '../../platform/primitives.ts'

/** Types of things that the search page finds. */
export const searchKinds = ['chat', 'document', 'prompt', 'memory'] as const
export const SearchKind = z.enum(searchKinds)
export type SearchKind = z.infer<typeof SearchKind>

/** Maximum hits of one type in one answer. */
export const MAX_HITS = 50
/** Default number of hits of one type. */
export const HITS_PAGE = 10

export const SearchHit = z.object({
  kind: SearchKind,
  /** The message, passage, prompt or fact; the chat or document when its title matches. */
  id: Id,
  /** The chat or document of the hit; otherwise the same as `id`. */
  thing_id: Id,
  /** Title of the chat, name of the document or prompt; empty for a fact. */
  title: z.string(),
  /** True when the title of a chat or document matches, not its text. */
  is_title: z.boolean(),
  /** Plain text around the first match, at most 1,000 characters; U+E000 and U+E001 enclose each match. */
  excerpt: z.string(),
  /** Time of the message, the reading, or the last change. */
  at: z.string(),
  /** Owner of the chat, document or prompt, or the person who told the fact. */
  person: z.object({ id: Id, name: z.string() }),
  /** Project of the chat or fact, if the caller may read it. */
  project: z.nullable(z.object({ id: Id, name: z.string() })),
  /** Model of a reply, otherwise null. */
  model_name: z.nullable(z.string()),
  /** Page of a passage, otherwise null. */
  page_number: z.nullable(z.int()),
  is_archived: z.boolean(),
})
export type SearchHit = z.infer<typeof SearchHit>

const KindList = trimmed(0, 100).check(
  z.refine((list) => list.split(',').every((kind) => SearchKind.safeParse(kind).success)),
)
/** Position of a hit: microseconds since 1970 and its id. */
const Cursor = text(1, 80).check(z.regex(/^\d{1,18}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

export const searchEverything = route({
  method: 'GET',
  path: '/search',
  access: 'user',
  fails: ['search_too_long', 'not_found'],
  summary:
    'Find messages, passages of documents, prompts and facts that contain all words, without case and accents, newest first by type. The last word may be the beginning of a word; quotes enclose a phrase',
  query: z.object({
    q: trimmed(1, 200),
    /** Wanted types, separated by commas; default: all. */
    kinds: z.optional(KindList),
    workspace_id: z.optional(Id),
    person_id: z.optional(Id),
    /** Earliest time. */
    from: z.optional(z.iso.datetime()),
    /** Time after the latest. */
    to: z.optional(z.iso.datetime()),
    model: z.optional(text(1, MAX_MODEL_NAME)),
    /** A tag of the caller's chats, or of documents. */
    tag: z.optional(text(1, 100)),
    /** The `cursor` of the previous answer; only with one type. */
    after: z.optional(Cursor),
    /** Hits per type. */
    limit: queryInt({ min: 1, max: MAX_HITS, fallback: HITS_PAGE }),
  }),
  answer: z.object({
    groups: z
      .array(
        z.object({
          kind: SearchKind,
          items: z.array(SearchHit).check(z.maxLength(MAX_HITS)),
          /** Continues after the last item; null at the end. */
          cursor: z.nullable(z.string()),
        }),
      )
      .check(z.maxLength(searchKinds.length)),
    /** Name of the project that `workspace_id` names, otherwise null. */
    project_name: z.nullable(z.string()),
  }),
})
