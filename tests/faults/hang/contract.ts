import * as z from 'zod/mini'
import { tool } from '#shared/tools/tools/tool.ts'

/** A tool that blocks its process forever, for fault tests. */
const hang = tool({
  id: 'hang',
  name: 'Hang',
  description: 'Never ends.',
  input: z.object({}),
  output: z.object({}),
  repeatable: true,
  limitSeconds: 30,
})

export default hang
