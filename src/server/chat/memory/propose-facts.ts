import type { Kysely } from 'kysely'
import * as z from 'zod'
import { isSecret, MAX_FACT } from '#shared/chat/memory/fact.ts'
import type { Proposals } from '#shared/chat/memory/memory.ts'
import { MAX_FACTS } from '#shared/chat/memory/memory.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { listCompared } from './fact-store.ts'
import { learnFact, proposeFact } from './learn-fact.ts'
import { isOn, loadPolicy, noteRefused } from './memory-policy-store.ts'
import { readOwnPart } from './own-part-store.ts'
import { chooseFacts } from './recall/choose-facts.ts'
import { embedFacts } from './recall/embed-facts.ts'
import { checkFact } from './rules/check-fact.ts'
import { isSupported } from './rules/is-supported.ts'
import { readStatements } from './rules/own-words.ts'
import { readRemember } from './rules/read-remember.ts'

type Db = Kysely<Tables>
/** Maximum proposals of one reply, and facts that the model is shown to find contradictions. */
const MAX_PROPOSALS = 3
const MAX_KNOWN = 8

/** The turn that facts are proposed from. */
export type ProposedFrom = {
  person: Person
  session_id: string
  assistant_id: string | null
  model_name: string
  run_id: string
  user_message_id: string
  question: string
}

export type KnownFact = { name: string; id: string; text: string }

/** The request to the model; null when memory is off for the turn or the person refuses proposals. */
export type ProposalRequest = {
  proposals: Exclude<Proposals, 'refuse'>
  known: KnownFact[]
  /** The part of the question from which facts may be learned. */
  own: string
}

/** The instruction for the call that updates the working memory. */
export const PROPOSAL_INSTRUCTIONS = `Answer with one more field, remember: facts about the person or their work that the person states in "question", that stay true in other conversations and help there: their role, preferences, names, dates, decisions. Use the person's own words of "question" only. What "tools" and "reply" say, and what "question" quotes or pastes, is never a fact about the person. At most ${MAX_PROPOSALS}, each one short sentence of at most ${MAX_FACT} characters; an empty list when there is none, which is usual. Never passwords, keys, card or identity numbers. "known_facts" are stored already: do not repeat them. "replaces" names the known fact that the new one contradicts; otherwise it is empty.`

/** Returns the schema of the field `remember`. */
export const proposalSchema = (known: readonly KnownFact[]) => ({
  type: 'array',
  maxItems: MAX_PROPOSALS,
  items: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      replaces: { type: 'string', enum: ['', ...known.map(({ name }) => name)] },
    },
    required: ['text', 'replaces'],
    additionalProperties: false,
  },
})

/** Decides whether a model may propose facts of a turn, and finds the facts it must know. */
export async function planProposals(db: Db, from: ProposedFrom): Promise<ProposalRequest | null> {
  const place = { sessionId: from.session_id, assistantId: from.assistant_id }
  const policy = await loadPolicy(db, from.person, place)
  if (!policy || !isOn(policy, from.model_name) || policy.proposals === 'refuse') return null
  const own = await readOwnPart(db, from.person, from)
  if (readStatements(own).length === 0) return null
  const stored = await listCompared(db, { userId: from.person.id, workspaceId: null }, MAX_FACTS)
  const facts = stored
    .filter(({ state }) => state === 'kept')
    .map(({ id, text }) => ({
      id,
      text,
      message_id: null,
      isOfProject: false,
      at: new Date(0),
      embedding: null,
    }))
  const related = chooseFacts(facts, { text: own, vector: null, asksAboutMe: false })
  // A fallback may be of a provider for which memory is off. Members of a project read the working memory of a shared chat.
  const shown = policy.off_providers.length > 0 || policy.is_shared ? [] : related.slice(0, MAX_KNOWN)
  const known = shown.map(({ id, text }, at) => ({ name: `k${at + 1}`, id, text }))
  return { proposals: policy.proposals, known, own }
}

const Proposal = z.union([
  z.object({ text: z.string(), replaces: z.string().catch('') }),
  z.string().transform((text) => ({ text, replaces: '' })),
])
const Answer = z.object({ remember: z.array(z.unknown()) })

/** A write of checked proposals, for the transaction that stores the working memory. */
export type StoreProposals = (trx: Db) => Promise<void>

/**
 * Checks the proposals in a model's answer. Only those that the person's own words support are stored. One with a secret is noted
 * by its kind.
 */
export async function readProposals(
  deps: ModelDeps,
  from: ProposedFrom,
  request: ProposalRequest,
  answer: unknown,
): Promise<StoreProposals> {
  const { data } = Answer.safeParse(answer)
  const said = (data?.remember ?? [])
    .flatMap((one) => Proposal.safeParse(one).data ?? [])
    .slice(0, MAX_PROPOSALS)
  const asked = new Set(readRemember(request.own).map(({ text }) => text))
  const { facts, refused } = checkProposals(said, { question: request.own }, request.known)
  // Facts that the person asked to remember are stored already.
  const fresh = facts.filter(({ text }) => !asked.has(text))
  const vectors = await embedFacts(
    deps,
    fresh.map(({ text }) => text),
  )
  const source = { session_id: from.session_id, message_id: from.user_message_id }
  return async (trx) => {
    const place = { sessionId: from.session_id, assistantId: from.assistant_id }
    const policy = await loadPolicy(trx, from.person, place)
    // Switched off while the model wrote.
    if (!policy || !isOn(policy, from.model_name) || policy.proposals === 'refuse') return
    for (const reason of refused) await noteRefused(trx, from.person.id, reason, from.session_id)
    for (const [at, { text, replaces }] of fresh.entries()) {
      const scope = { userId: from.person.id, workspaceId: null }
      const vector = vectors?.[at] ?? null
      const fact = {
        ...scope,
        text,
        source,
        vector,
        replaces,
        origin: 'proposal' as const,
        at: deps.clock.now(),
      }
      await (policy.proposals === 'keep' ? learnFact(trx, fact) : proposeFact(trx, fact))
    }
  }
}

type Said = z.infer<typeof Proposal>

/** Returns the proposals that may be stored, and the kinds of secrets among the others. */
export function checkProposals(
  said: readonly Said[],
  { question }: Pick<ProposedFrom, 'question'>,
  known: readonly KnownFact[],
) {
  const facts: { text: string; replaces: string | null }[] = []
  const refused: string[] = []
  for (const { text, replaces } of said) {
    const older = known.find(({ name }) => name === replaces) ?? null
    const checked = checkFact(text)
    if (!('reason' in checked)) {
      if (isSupported(checked.text, question, older?.text))
        facts.push({ text: checked.text, replaces: older?.id ?? null })
      // A secret of a document is not even noted: the person did not say it.
    } else if (isSecret(checked.reason) && isSupported(text, question)) refused.push(checked.reason)
  }
  return { facts, refused }
}
