import { serveAccounts } from './accounts/accounts.ts'
import { serveAdministration } from './administration/administration.ts'
import { serveApiKeys } from './api-keys/api-keys.ts'
import { serveAssistants } from './assistants/assistants.ts'
import { serveAudit } from './audit/audit.ts'
import { serveBeliefs } from './beliefs/beliefs.ts'
import { serveBilling } from './billing/billing.ts'
import { serveBranches } from './branches/branches.ts'
import { serveCheckpoints } from './checkpoints/checkpoints.ts'
import { serveConnections } from './connections/connections.ts'
import type { Feature } from './deps.ts'
import { serveDocuments } from './documents/documents.ts'
import { serveEmbeddingModel } from './embedding-model/embedding-model.ts'
import { serveExports } from './exports/exports.ts'
import { serveFeedback } from './feedback/feedback.ts'
import { serveInputRequests } from './input-requests/input-requests.ts'
import { serveLinkPreviews } from './link-previews/link-previews.ts'
import { serveMedia } from './media/media.ts'
import { serveMessages } from './messages/messages.ts'
import { serveMcpServers, serveOwnTools } from './own-tools/own-tools.ts'
import { serveProspecting } from './prospecting/prospecting.ts'
import { serveRag } from './rag/rag.ts'
import { serveRuns } from './runs/runs.ts'
import { serveSearch } from './search/search.ts'
import { serveServiceConnections } from './service-connections/service-connections.ts'
import { serveSessions } from './sessions/sessions.ts'
import { serveShares } from './shares/shares.ts'
import { serveStreams } from './streams/streams.ts'
import { serveTitles } from './titles/titles.ts'
import { serveToolInterfaces } from './tool-interfaces/tool-interfaces.ts'
import { serveToolPolicies } from './tool-policies/tool-policies.ts'
import { serveToolRuns } from './tool-runs/tool-runs.ts'
import { serveUserEvents } from './user-events/user-events.ts'
import { serveVectorDb } from './vector-db/vector-db.ts'
import { serveWebSearch } from './web-search/web-search.ts'
import { serveWorkspaces } from './workspaces/workspaces.ts'

/** Every feature of the product, in the order in which its routes are described. */
export const features: Feature[] = [
  serveAccounts,
  serveApiKeys,
  serveConnections,
  serveBilling,
  serveAssistants,
  serveRuns,
  serveStreams,
  serveUserEvents,
  serveSessions,
  serveMessages,
  serveBranches,
  serveFeedback,
  serveInputRequests,
  serveToolPolicies,
  serveToolRuns,
  serveOwnTools,
  serveMcpServers,
  serveToolInterfaces,
  serveMedia,
  serveCheckpoints,
  serveBeliefs,
  serveTitles,
  serveDocuments,
  serveWorkspaces,
  serveSearch,
  serveRag,
  serveVectorDb,
  serveEmbeddingModel,
  serveWebSearch,
  serveLinkPreviews,
  serveServiceConnections,
  serveAdministration,
  serveAudit,
  serveProspecting,
  serveExports,
  serveShares,
]
