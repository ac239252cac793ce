import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ModelCall } from '../port.ts'

/** Adaptations learned from refusals, for one model at one address. */
export type Learned = {
  known: () => Promise<readonly Adaptation[]>
  /** `said` is the provider's sentence that taught the adaptation. */
  learn: (adaptation: Adaptation, said: string) => Promise<void>
}

/** Facts about a model other than its refusals. */
export type ModelFacts = {
  kind: string
  base_url: string
  /** Context window in tokens according to the provider's list, or null. */
  context_tokens: number | null
  /** Counts the tokens of a call. */
  count: (call: Omit<ModelCall, 'model'>) => Promise<number>
}

/** Returns whether two facts share name and subject. A newer one replaces the older. */
export const isSameFact = (a: Adaptation, b: Adaptation) =>
  a.name === b.name && (a.about ?? '') === (b.about ?? '')

/** Adds a fact to a list and removes an older one with the same name and subject. */
export function withFact(facts: readonly Adaptation[], fact: Adaptation): Adaptation[] {
  return [...facts.filter((one) => !isSameFact(one, fact)), fact]
}

/** Keeps learned facts in memory only. */
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

/** Returns the subjects of facts with this name: tools or parameters. */
export const aboutOf = (facts: readonly Adaptation[], name: Adaptation['name']): string[] =>
  facts.flatMap((fact) => (fact.name === name && fact.about ? [fact.about] : []))

/** Adds facts that are known without a refusal, except windows. */
export const withFacts = (learned: Learned, facts: readonly Adaptation[]): Learned => ({
  ...learned,
  known: async () => [...facts.filter((fact) => fact.name !== 'window'), ...(await learned.known())],
})
