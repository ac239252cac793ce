import { createAuthenticate } from './accounts/accounts.ts'
import { createAgents, createCompletionAgent } from './agents/agents.ts'
import { createFindKeyHolder } from './api-keys/api-keys.ts'
import type { Deps } from './deps.ts'
import { createFindVisitor } from './embeds/embeds.ts'
import { createToolSource } from './own-tools/own-tools.ts'
import type { Platform } from './platform.ts'
import { createEngine } from './runs/runs.ts'
import { createStreams } from './streams/streams.ts'
import { createToolAgent, createTools } from './tools/tools.ts'

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
