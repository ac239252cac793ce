import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import type { Agent } from '../../runs/runs/runs.ts'
import { compareModels } from './comparison.ts'
import { complete } from './completion.ts'
import type { AgentKit } from './kit.ts'
import { multiTurn } from './multi-turn.ts'
import { orchestrate } from './orchestrator.ts'
import { planAndAct } from './plan-and-act.ts'
import { research } from './research/research.ts'
import { singleTurn } from './single-turn.ts'

export { messageOfModel, runOfModel, usageOfModel } from './comparison-store.ts'
export { COMPLETION_KEY, type Completed } from './completion.ts'
export { summariseChat } from './prompt/summarise-path.ts'

/** Returns the agents of this installation. A missing type is unavailable. */
export function createAgents(kit: AgentKit): Partial<Record<AgentType, Agent>> {
  return {
    single_turn: { version: 1, run: (run) => singleTurn(run, kit) },
    multi_turn: { version: 1, run: (run) => multiTurn(run, kit) },
    orchestrator: { version: 1, run: (run) => orchestrate(run, kit) },
    plan_and_act: { version: 1, run: (run) => planAndAct(run, kit) },
    deep_research: { version: 1, run: (run) => research(run, kit) },
  }
}

/** Returns the agent that has several models answer the same message. */
export function createComparisonAgent(kit: AgentKit): Agent {
  return { version: 1, run: (run) => compareModels(run, kit) }
}

/** Returns the agent that answers plain model requests of programs. Chats never use it. */
export function createCompletionAgent(kit: AgentKit): Agent {
  return { version: 1, run: (run) => complete(run, kit) }
}
