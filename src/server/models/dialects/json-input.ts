/** The arguments of a tool call as a value; what is no JSON counts as none. */
export function parseInput(input: string): unknown {
  try {
    return JSON.parse(input || '{}')
  } catch {
    return {}
  }
}

/** Whether a text is whole JSON; no text counts as no arguments. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text || '{}')
    return true
  } catch {
    return false
  }
}
