import * as z from 'zod/mini'
import type { ModelCall } from '../../../models/models/port.ts'

const Kind = z.enum(['supported', 'contradicted', 'unsupported'])
export type Verdict = z.infer<typeof Kind>

/** The output schema for verdicts. */
export const VERDICTS: NonNullable<ModelCall['output']> = {
  name: 'verdicts',
  schema: {
    type: 'object',
    properties: {
      verdicts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: 'integer' },
            verdict: { type: 'string', enum: ['supported', 'contradicted', 'unsupported'] },
          },
          required: ['number', 'verdict'],
          additionalProperties: false,
        },
      },
    },
    required: ['verdicts'],
    additionalProperties: false,
  },
}

const One = z.object({ number: z.int(), verdict: Kind })
const Answer = z.object({ verdicts: z.array(z.unknown()) })

/** Parses verdicts by statement number and skips unreadable ones. Null when none is left. */
export function readVerdicts(said: unknown): Map<number, Verdict> | null {
  const answer = Answer.safeParse(said)
  if (!answer.success) return null
  const verdicts = answer.data.verdicts.flatMap((one): [number, Verdict][] => {
    const read = One.safeParse(one)
    return read.success ? [[read.data.number, read.data.verdict]] : []
  })
  return verdicts.length > 0 ? new Map(verdicts) : null
}
