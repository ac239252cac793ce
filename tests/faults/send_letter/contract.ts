import * as z from 'zod/mini'
import { tool } from '#shared/tools/tools/tool.ts'

/** A non-idempotent tool for fault tests, whose effects a server counts. */
const sendLetter = tool({
  id: 'send_letter',
  name: 'Send letter',
  description: 'Sends a letter.',
  input: z.object({ text: z.string() }),
  output: z.object({ sent: z.boolean() }),
  repeatable: false,
  limitSeconds: 30,
})

export default sendLetter
