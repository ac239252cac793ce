import { ListChecks, type LucideIcon, MessageSquare, MessagesSquare, Network, Telescope } from 'lucide-react'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'

/** The agent types in display order: the plainest first. */
export const agentTypes: readonly AgentType[] = [
  'single_turn',
  'multi_turn',
  'plan_and_act',
  'orchestrator',
  'deep_research',
]

export const agentIcons: Record<AgentType, LucideIcon> = {
  single_turn: MessageSquare,
  multi_turn: MessagesSquare,
  plan_and_act: ListChecks,
  orchestrator: Network,
  deep_research: Telescope,
}
