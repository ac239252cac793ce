import { builtInAssistants } from '#shared/chat/assistants/built-in.ts'
import { createAgents, createComparisonAgent, createCompletionAgent } from './chat/agents/agents.ts'
import { findAssistants, findChatAssistant } from './chat/assistants/assistants.ts'
import { createFindVisitor } from './chat/embeds/embeds.ts'
import type { AllDeps } from './feature.ts'
import { createAuthenticate } from './identity/accounts/accounts.ts'
import { createFindKeyHolder } from './identity/api-keys/api-keys.ts'
import type { Grantable } from './identity/grants/grants.ts'
import type { ModelDeps } from './models/model-deps.ts'
import type { Models } from './models/models/models.ts'
import type { AssistantPort } from './runs/run-deps.ts'
import { createEngine } from './runs/runs/runs.ts'
import { createStreams } from './runs/streams/streams.ts'
import { meansOfPerson } from './tools/actions/actions.ts'
import { mayUseDatabase } from './tools/databases/databases.ts'
import { createToolSource } from './tools/own-tools/own-tools.ts'
import { checkArguments, createToolAgent, createTools, type Tools } from './tools/tools/tools.ts'

/** Composes the dependencies of features: agents for the engine, tools for agents, ports for lower domains. */
export function compose(platform: ModelDeps): AllDeps {
  const tools = createTools(createToolSource(platform), platform.grants, async (userId) => {
    const [reads, means] = await Promise.all([
      mayUseDatabase(platform, userId),
      meansOfPerson(platform.db, userId),
    ])
    return reads ? new Set([...means, 'database']) : means
  })
  const assistants: AssistantPort = {
    findOfChat: (user, session) => findChatAssistant(platform, user, session),
    findNames: (user, ids) => findAssistants(platform, user, ids),
  }
  const kit = { ...platform, tools, assistants }
  const engine = createEngine(platform, {
    ...createAgents(kit),
    tool: createToolAgent(kit),
    completion: createCompletionAgent(kit),
    comparison: createComparisonAgent(kit),
  })
  const authenticate = createAuthenticate(platform, [
    createFindKeyHolder(platform),
    createFindVisitor(platform),
  ])
  return {
    ...kit,
    authenticate,
    engine,
    streams: createStreams(engine, authenticate),
    checkCall: (call, args) => checkArguments(tools, call, args),
    grantable: listGrantable(platform.models, tools),
  }
}

function listGrantable(models: Models, tools: Tools): Grantable {
  return {
    models: async () => {
      // Chat models first, then embedding models, which programs request by name.
      const [chats, embeddings] = await Promise.all([models.list(), models.embeddings()])
      const all = [...chats, ...embeddings]
      return [...new Map(all.map(({ id, name, provider_name: from }) => [id, { id, name, from }])).values()]
    },
    tools: async (user) => {
      const found = await Promise.all(tools.ids.map((id) => tools.read(id, user.id)))
      return found.flatMap((tool) =>
        tool ? [{ id: tool.contract.id, name: tool.contract.name, from: null }] : [],
      )
    },
    assistants: ({ language }) =>
      builtInAssistants(language).map(({ id, name }) => ({ id, name, from: null })),
  }
}
