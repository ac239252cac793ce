import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'

/** Parses the arguments of a tool call. Returns an empty object for invalid JSON, or more than any tool takes. */
export function parseInput(input: string): unknown {
  return tryJson(input || '{}') ?? {}
}

/** Returns whether a text is complete JSON. An empty text counts as no arguments. */
export function isJson(text: string): boolean {
  return tryJson(text || '{}') !== undefined
}
