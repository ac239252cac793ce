import * as z from 'zod/mini'
import { atMost } from '#shared/platform/primitives.ts'
import { tool } from '#shared/tools/tools/tool.ts'

/** A finite number. Models sometimes write it as text. */
const Operand = z.union([
  z.number(),
  z.string().check(atMost(400), z.trim(), z.regex(/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?$/i)),
])

export const Operation = z.enum(['add', 'subtract', 'multiply', 'divide'])

const calculator = tool({
  id: 'calculator',
  name: 'Calculator',
  icon: 'calculator',
  description: 'Adds, subtracts, multiplies or divides two numbers exactly. Use it for every calculation.',
  input: z.object({ a: Operand, b: Operand, operation: Operation }),
  output: z.object({
    result: z.number(),
    /** The exact result in decimal digits if a number would be rounded; 40 significant digits for quotients. */
    exact: z.string(),
  }),
  examples: [{ result: 14.9, exact: '14.9' }],
  repeatable: true,
  takes: 'nothing',
  limitSeconds: 5,
  isPure: true,
})

export default calculator
