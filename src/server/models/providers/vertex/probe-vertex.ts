import type { Endpoint } from '../../models/wire/dialect.ts'
import { defaultPatience } from '../../models/wire/patience.ts'
import { streamOverWire } from '../../models/wire/stream.ts'
import { vertexModels } from './vertex-dialect.ts'

const PROBE_MS = 60_000

/** Requests the shortest possible answer from a model. @throws ModelError */
export async function probeVertex(endpoint: Endpoint, model: string): Promise<void> {
  const call = {
    ...{ model, tools: [], tool_choice: 'none' as const, max_output_tokens: 16 },
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }],
  }
  const ask = streamOverWire(vertexModels, endpoint, { ...defaultPatience, attempts: 1 })
  await ask(call, AbortSignal.timeout(PROBE_MS), () => {})
}
