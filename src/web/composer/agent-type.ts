import { ListChecks, type LucideIcon, MessageSquare, MessagesSquare, Network } from 'lucide-react'
import type { AgentType } from '#shared/sessions/sessions.ts'

/** How an agent works, in the order in which it is offered: the plainest first. */
export const agentTypes: readonly AgentType[] = ['single_turn', 'multi_turn', 'plan_and_act', 'orchestrator']

export const agentIcons: Record<AgentType, LucideIcon> = {
  single_turn: MessageSquare,
  multi_turn: MessagesSquare,
  plan_and_act: ListChecks,
  orchestrator: Network,
}
