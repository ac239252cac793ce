import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** A regular expression with its place in a file. */
export type Expression = { place: string; source: string; flags: string }

/** Code that parses pages and pictures runs in child processes, which are killed if they take too long. */
const apart = /^parsers\/(pdf|ocr|image)\//

/** Returns every expression of code that blocks other work, and every place where one is built at run time, as `file:line code`. */
export function collectExpressions(root: string): { literals: Expression[]; built: string[] } {
  const all = globSync('**/*.{ts,tsx}', { cwd: root })
  const files = all.filter((file) => !/\.test\.tsx?$/.test(file) && !apart.test(file))
  const found = files.sort().map((file) => readExpressions(file, readFileSync(root + file, 'utf8')))
  return { literals: found.flatMap((one) => one.literals), built: found.flatMap((one) => one.built) }
}

/** Returns the expressions of one file. @throws Error if it cannot be parsed */
export function readExpressions(file: string, code: string): { literals: Expression[]; built: string[] } {
  const { program, errors } = parseSync(file, code)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const literals: Expression[] = []
  const built: string[] = []
  visit(program, (node) => {
    const place = () => `${file}:${code.slice(0, node.start).split('\n').length}`
    if (node.regex) literals.push({ place: place(), source: node.regex.pattern, flags: node.regex.flags })
    const isBuilt = node.type === 'NewExpression' || node.type === 'CallExpression'
    if (isBuilt && node.callee?.name === 'RegExp')
      built.push(`${place()} ${code.slice(node.start, node.end)}`)
  })
  return { literals, built }
}

type Node = {
  type: string
  start: number
  end: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) see(value as Node)
  for (const part of Object.values(value)) visit(part, see)
}
