import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'

/** The arguments of a tool call as a value; what is no JSON, or more than any tool takes, counts as none. */
export function parseInput(input: string): unknown {
  return tryJson(input || '{}') ?? {}
}

/** Whether a text is whole JSON; no text counts as no arguments. */
export function isJson(text: string): boolean {
  return tryJson(text || '{}') !== undefined
}
