import * as z from 'zod/mini'
import { atMost, Id, trimmed } from '#shared/platform/primitives.ts'
import { MediaReference } from '#shared/tools/media/media.ts'
import { tool } from '#shared/tools/tools/tool.ts'

const codeInterpreter = tool({
  id: 'code_interpreter',
  name: 'Code interpreter',
  icon: 'code-xml',
  description:
    'Writes and runs programs in a closed box, step by step: calculations over tables, charts, conversions and checks of files. Say in words what is wanted, or give the program in a code block (Python or JavaScript). It reads the documents that are named, or else those of the chat, keeps a working folder for the chat, in which files that other tools made in it stand as well, and gives back images and files. It has no network.',
  input: z.object({
    request: trimmed(1, 50_000),
    context: z.optional(trimmed(0, 50_000)),
    document_ids: z.optional(z.array(Id).check(atMost(50))),
  }),
  output: z.object({
    /** The planned steps, one sentence each. */
    plan: z.array(z.string()),
    /** Every round with its code, output and status. Parsed by `rounds.ts`. */
    logs: z.string(),
    /** Images. */
    artifacts: z.array(MediaReference),
    generated_files: z.array(MediaReference),
    /** Why it is incomplete; earlier results are kept. */
    error: z.nullable(z.string()),
  }),
  examples: [
    {
      plan: ['Add the amounts of the table'],
      logs: 'Round 1/1: Add the amounts of the table\nGenerated code (python):\n    print(19 + 23)\nOutput:\n    42\nStatus: successful',
      ...{ artifacts: [], generated_files: [], error: null },
    },
  ],
  repeatable: true,
  takes: 'model',
  needs: 'code_box',
  durable: true,
  limitSeconds: 900,
})

export default codeInterpreter
