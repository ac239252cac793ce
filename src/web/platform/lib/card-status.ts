/** The one state every card of a tool has. */
export type CardStatus = 'waiting' | 'input' | 'running' | 'done' | 'error'

/** Inputs or a result that are not whole JSON yet: more of them is on its way. */
export const INVALID_INPUT = 'Invalid input JSON'
export const INVALID_RESULT = 'Invalid result JSON'

export type CardFacts = { isLoading: boolean; input: unknown; result: unknown; error: string | null }

/** The state of a card, live and from history alike. The order of the questions is the rule. */
export function cardStatus({ isLoading, input, result, error }: CardFacts): CardStatus {
  if (isLoading || error === INVALID_INPUT || error === INVALID_RESULT) return 'running'
  if (error) return 'error'
  if (!isEmpty(result)) return 'done'
  return hasValue(input) ? 'input' : 'waiting'
}

/** A payload that arrived as text is read as JSON where it looks like it; what is not whole JSON stays text. */
export function readPayload(value: unknown): { value: unknown; isValid: boolean } {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return { value, isValid: true }
  try {
    return { value: JSON.parse(value) as unknown, isValid: true }
  } catch {
    return { value, isValid: false }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function hasValue(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return !isEmpty(input)
  return Object.values(input).some((value) => !isEmpty(value))
}
