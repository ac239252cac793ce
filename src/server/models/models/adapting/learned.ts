import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ModelCall } from '../port.ts'

/** What refusals taught about one model of one address. */
export type Learned = {
  known: () => Promise<readonly Adaptation[]>
  /** `said` is the provider's sentence it was learned from. */
  learn: (adaptation: Adaptation, said: string) => Promise<void>
}

/** What is known of a model beside what it refused. */
export type ModelFacts = {
  kind: string
  base_url: string
  /** The window in tokens that its list names, or null. */
  context_tokens: number | null
  /** Tokens of a call. */
  count: (call: Omit<ModelCall, 'model'>) => Promise<number>
}

/** The same fact twice is one: a newer value replaces the older one. */
export const isSameFact = (a: Adaptation, b: Adaptation) =>
  a.name === b.name && (a.about ?? '') === (b.about ?? '')

/** Adds a fact to a list, in place of an older one of the same name. */
export function withFact(facts: readonly Adaptation[], fact: Adaptation): Adaptation[] {
  return [...facts.filter((one) => !isSameFact(one, fact)), fact]
}

/** Keeps what was learned for as long as it lives. */
export function learnInMemory(): Learned {
  let facts: Adaptation[] = []
  return {
    known: async () => facts,
    learn: async (adaptation) => {
      facts = withFact(facts, adaptation)
    },
  }
}

export const factValue = (facts: readonly Adaptation[], name: Adaptation['name']): number | undefined =>
  facts.find((fact) => fact.name === name)?.value

export const has = (facts: readonly Adaptation[], name: Adaptation['name']): boolean =>
  facts.some((fact) => fact.name === name)

/** What facts of this name are about: names of tools or parameters. */
export const aboutOf = (facts: readonly Adaptation[], name: Adaptation['name']): string[] =>
  facts.flatMap((fact) => (fact.name === name && fact.about ? [fact.about] : []))

/** What was learned, beside facts that are known without a refusal. */
export const withFacts = (learned: Learned, facts: readonly Adaptation[]): Learned => ({
  ...learned,
  known: async () => [...facts.filter((fact) => fact.name !== 'window'), ...(await learned.known())],
})
