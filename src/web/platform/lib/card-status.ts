/** The state of a tool card. */
export type CardStatus = 'waiting' | 'input' | 'running' | 'done' | 'error'

/** Inputs or a result that are incomplete JSON, because more is expected. */
export const INVALID_INPUT = 'Invalid input JSON'
export const INVALID_RESULT = 'Invalid result JSON'

export type CardFacts = { isLoading: boolean; input: unknown; result: unknown; error: string | null }

/** Returns the state of a card, both live and from history. The order of the checks is the rule. */
export function cardStatus({ isLoading, input, result, error }: CardFacts): CardStatus {
  if (isLoading || error === INVALID_INPUT || error === INVALID_RESULT) return 'running'
  if (error) return 'error'
  if (!isEmpty(result)) return 'done'
  return hasValue(input) ? 'input' : 'waiting'
}

/** Parses text that looks like JSON; incomplete JSON stays text. */
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
