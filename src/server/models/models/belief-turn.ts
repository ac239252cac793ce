import * as z from 'zod'

const Entry = z.object({ text: z.string(), from: z.string() })
const BeliefTurn = z.object({
  /** The working memory so far. `from` is the short name of a message. */
  memory: z.object({ goals: z.array(Entry), facts: z.array(Entry), open_questions: z.array(Entry) }),
  question: z.string(),
  tools: z.array(z.object({ name: z.string(), result: z.string(), failed: z.boolean() })),
  reply: z.string(),
  /** Facts of the person's memory, when facts may be proposed. */
  known_facts: z.optional(z.array(z.object({ name: z.string(), text: z.string() }))),
})

/** One turn of a conversation, and the working memory to update with it. */
export type BeliefTurn = z.infer<typeof BeliefTurn>

/** A turn as text for a model. `readBeliefTurn` is its inverse. */
export function writeBeliefTurn(turn: BeliefTurn): string {
  return JSON.stringify(turn)
}

/** Returns the turn in a text, or null when there is none. For the built-in model, which works by rules. */
export function readBeliefTurn(text: string): BeliefTurn | null {
  try {
    return BeliefTurn.parse(JSON.parse(text))
  } catch {
    return null
  }
}
