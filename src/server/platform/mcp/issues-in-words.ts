import * as z from 'zod'
import { tryJson } from '../outbound/foreign/foreign.ts'

const Issues = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])).catch([]), message: z.string() }))
  .min(1)
const MAX_ISSUES = 10

/** Replaces a JSON list of validation issues in a text with one sentence per issue. */
export function plainIssues(text: string): string {
  const said = text.replace(/^MCP error -?\d{1,6}: /, '')
  const begin = said.search(/\[\s*\{/)
  const end = said.lastIndexOf(']')
  if (begin < 0 || end < begin) return said
  const issues = Issues.safeParse(tryJson(said.slice(begin, end + 1))).data
  if (!issues) return said
  const told = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    return path.length > 0 ? `${path.join('.')}: ${message}` : message
  })
  return `${said.slice(0, begin)}${told.join('; ')}${said.slice(end + 1)}`
}
