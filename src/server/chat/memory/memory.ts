import type { Server } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { serveChatMemory } from './chat-memory.ts'
import { serveFacts } from './fact-routes.ts'

export {
  PROPOSAL_INSTRUCTIONS,
  type ProposalRequest,
  type ProposedFrom,
  planProposals,
  proposalSchema,
  readProposals,
} from './propose-facts.ts'
export { keepFactsOf, memoryForCall, recallFacts } from './recall/recall-facts.ts'
export { planMemory, rememberAsked } from './remember-asked.ts'
export { restoreFact } from './restore-fact.ts'

/** Serves memory: facts about a person or a project that replies in other chats may use. */
export function serveMemory(server: Server, deps: Deps): void {
  serveFacts(server, deps)
  serveChatMemory(server, deps)
}
