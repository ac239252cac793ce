import { serveAccounts } from './accounts/accounts.ts'
import { serveAssistants } from './assistants/assistants.ts'
import { serveBeliefs } from './beliefs/beliefs.ts'
import { serveBilling } from './billing/billing.ts'
import { serveBranches } from './branches/branches.ts'
import { serveCheckpoints } from './checkpoints/checkpoints.ts'
import { serveConnections } from './connections/connections.ts'
import type { Feature } from './deps.ts'
import { serveInputRequests } from './input-requests/input-requests.ts'
import { serveMessages } from './messages/messages.ts'
import { serveRuns } from './runs/runs.ts'
import { serveSessions } from './sessions/sessions.ts'
import { serveStreams } from './streams/streams.ts'
import { serveToolPolicies } from './tool-policies/tool-policies.ts'
import { serveToolRuns } from './tool-runs/tool-runs.ts'

/** Every feature of the product, in the order in which its routes are described. */
export const features: Feature[] = [
  serveAccounts,
  serveConnections,
  serveBilling,
  serveAssistants,
  serveRuns,
  serveStreams,
  serveSessions,
  serveMessages,
  serveBranches,
  serveInputRequests,
  serveToolPolicies,
  serveToolRuns,
  serveCheckpoints,
  serveBeliefs,
]
