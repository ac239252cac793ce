import { createAgents, createCompletionAgent } from './chat/agents/agents.ts'
import { createFindVisitor } from './chat/embeds/embeds.ts'
import type { Deps } from './deps.ts'
import { createAuthenticate } from './identity/accounts/accounts.ts'
import { createFindKeyHolder } from './identity/api-keys/api-keys.ts'
import type { Platform } from './platform/platform.ts'
import { createEngine } from './runs/runs/runs.ts'
import { createStreams } from './runs/streams/streams.ts'
import { createToolSource } from './tools/own-tools/own-tools.ts'
import { createToolAgent, createTools } from './tools/tools/tools.ts'

/** Puts together what the features are handed: the engine gets its agents here, and these their tools. */
export function compose(platform: Platform): Deps {
  const tools = createTools(createToolSource(platform), platform.grants)
  const kit = { ...platform, tools }
  const engine = createEngine(platform, {
    ...createAgents(kit),
    tool: createToolAgent(kit),
    completion: createCompletionAgent(kit),
  })
  const authenticate = createAuthenticate(platform, [
    createFindKeyHolder(platform),
    createFindVisitor(platform),
  ])
  return { ...platform, authenticate, tools, engine, streams: createStreams(engine, authenticate) }
}
