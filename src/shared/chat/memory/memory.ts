import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { FACTS_PAGE, Fact, FactText, MAX_FACTS } from './fact.ts'

export { MAX_FACT_TOKENS, MAX_FACTS } from './fact.ts'

/** Maximum facts of an export: the caller's own and those of 20 projects. */
export const MAX_EXPORTED = 10_000

const factParams = z.object({ factId: Id })
const Saved = z.object({
  fact: Fact,
  /** `merged`: an equal fact existed. `replaced`: it replaced one that it contradicts. */
  outcome: z.enum(['added', 'merged', 'replaced']),
})

export const listFacts = route({
  method: 'GET',
  path: '/facts',
  access: 'user',
  scope: 'chats',
  summary:
    'The facts of the caller and of their projects, own ones first, newest first; `q` finds by words, `state` selects proposals',
  query: z.object({
    q: z.optional(trimmed(1, 200)),
    state: z._default(z.enum(['kept', 'proposed']), 'kept'),
    workspace_id: z.optional(Id),
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 100, fallback: FACTS_PAGE }),
  }),
  answer: z.object({ items: z.array(Fact), total: z.int() }),
})

export const exportFacts = route({
  method: 'GET',
  path: '/facts/export',
  access: 'user',
  scope: 'chats',
  summary: 'All facts of the caller and of their projects, with their history',
  answer: z.object({ facts: z.array(Fact).check(z.maxLength(MAX_EXPORTED)) }),
})

export const addFact = route({
  method: 'POST',
  path: '/facts',
  access: 'user',
  scope: 'chats',
  fails: ['invalid', 'conflict', 'forbidden', 'not_found'],
  summary: `Remember a fact: one sentence without secrets. An equal fact is merged, one that it contradicts becomes its history. A person has at most ${MAX_FACTS} facts, a project too`,
  body: z.object({ text: FactText, workspace_id: z._default(z.nullable(Id), null) }),
  answer: Saved,
})

export const changeFact = route({
  method: 'PUT',
  path: '/facts/:factId',
  access: 'user',
  scope: 'chats',
  may: 'write fact',
  fails: ['invalid'],
  summary: 'Change the text of a fact. The previous text becomes its history',
  params: factParams,
  body: z.object({ text: FactText }),
  answer: Fact,
})

export const deleteFact = route({
  method: 'DELETE',
  path: '/facts/:factId',
  access: 'user',
  scope: 'chats',
  may: 'write fact',
  fails: ['held'],
  summary: 'Delete a fact with its history, and remove it from summaries and working memories of chats',
  params: factParams,
  answer: Notice,
})

export const countTraces = route({
  method: 'GET',
  path: '/facts/:factId/traces',
  access: 'user',
  scope: 'chats',
  may: 'read fact',
  summary: 'The number of summaries and working memories that contain a fact',
  params: factParams,
  answer: z.object({ summaries: z.int(), working_memories: z.int() }),
})

export const decideFact = route({
  method: 'POST',
  path: '/facts/:factId/decision',
  access: 'user',
  scope: 'chats',
  may: 'write fact',
  fails: ['conflict', 'forbidden', 'not_found'],
  summary:
    'Accept or reject a proposed fact. `replace: false` keeps the fact that it contradicts too. `workspace_id` gives it to a project',
  params: factParams,
  body: z.object({
    accept: z.boolean(),
    replace: z._default(z.boolean(), true),
    workspace_id: z._default(z.nullable(Id), null),
  }),
  answer: z.object({ fact: z.nullable(Fact) }),
})

export const Proposals = z.enum(['keep', 'ask', 'refuse'])
export type Proposals = z.infer<typeof Proposals>

const MemorySettings = z.object({
  is_on: z.boolean(),
  /** Treatment of facts that a model proposes. */
  proposals: Proposals,
  /** Assistants and providers for which the caller turned memory off. */
  off: z.object({ assistants: z.array(Id), providers: z.array(z.string()) }),
  counts: z.object({ kept: z.int(), proposed: z.int() }),
  /** Proposals refused because of a secret, newest first, at most 20. */
  refused: z.array(
    z.object({
      id: Id,
      reason: z.string(),
      at: z.string(),
      chat: z.nullable(z.object({ id: Id, title: z.string() })),
    }),
  ),
})
export type MemorySettings = z.infer<typeof MemorySettings>

export const getMemorySettings = route({
  method: 'GET',
  path: '/memory/settings',
  access: 'user',
  scope: 'chats',
  summary: 'Whether and where memory is on for the caller, and what happens to proposed facts',
  answer: MemorySettings,
})

/** One switch: exactly one of a chat, an assistant and a provider. */
const Switch = z.object({
  session_id: z.optional(Id),
  assistant_id: z.optional(Id),
  provider: z.optional(text(1, 100)),
  is_on: z.boolean(),
})
export type MemorySwitch = z.infer<typeof Switch>

export const changeMemorySettings = route({
  method: 'PATCH',
  path: '/memory/settings',
  access: 'user',
  scope: 'chats',
  fails: ['invalid', 'not_found', 'forbidden'],
  summary:
    'Change where memory is on. Absent fields stay. A switch names one of a chat, an assistant and a provider',
  body: z.object({
    is_on: z.optional(z.boolean()),
    proposals: z.optional(Proposals),
    switches: z.optional(z.array(Switch).check(z.maxLength(20))),
  }),
  answer: MemorySettings,
})

const UsedFact = z.object({
  id: Id,
  /** The words the model was given. */
  text: z.string(),
  project: z.nullable(z.object({ id: Id, name: z.string() })),
  source: Fact.shape.source,
  learned_at: z.string(),
})
export type UsedFact = z.infer<typeof UsedFact>

const ChatMemory = z.object({
  /** The strictest of these decides. `provider` is that of the model of the newest reply. */
  is_on: z.object({ account: z.boolean(), chat: z.boolean(), assistant: z.boolean(), provider: z.boolean() }),
  assistant: z.nullable(z.object({ id: Id, name: z.string() })),
  provider: z.nullable(z.string()),
  /** The project whose facts replies in this chat use. */
  project: z.nullable(z.object({ id: Id, name: z.string(), can_add: z.boolean() })),
  /** The facts given to each of the newest 200 replies that were given any. */
  used: z.array(z.object({ message_id: Id, facts: z.array(UsedFact) })).check(z.maxLength(200)),
  /** Proposals from this chat, with the reply they came with. */
  proposals: z.array(z.object({ message_id: z.nullable(Id), fact: Fact })).check(z.maxLength(20)),
  /** The caller's facts that were learned in this chat. */
  learned: z.int(),
})
export type ChatMemory = z.infer<typeof ChatMemory>

const chatParams = z.object({ sessionId: Id })

export const getChatMemory = route({
  method: 'GET',
  path: '/sessions/:sessionId/memory',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'The facts that replies of a chat were given, its proposals, and whether memory is on for it',
  params: chatParams,
  answer: ChatMemory,
})

export const forgetChat = route({
  method: 'DELETE',
  path: '/sessions/:sessionId/memory',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'Delete the caller’s facts that were learned in a chat',
  params: chatParams,
  answer: z.object({ deleted: z.int() }),
})
