import { serveAccounts } from './accounts/accounts.ts'
import { serveAdministration } from './administration/administration.ts'
import { serveAnnouncements } from './announcements/announcements.ts'
import { serveApiKeys } from './api-keys/api-keys.ts'
import { serveAssistantTries } from './assistant-tries/assistant-tries.ts'
import { serveAssistants } from './assistants/assistants.ts'
import { serveAudit } from './audit/audit.ts'
import { serveBeliefs } from './beliefs/beliefs.ts'
import { serveBilling } from './billing/billing.ts'
import { serveBranches } from './branches/branches.ts'
import { serveBudgets } from './budgets/budgets.ts'
import { serveChatAccess } from './chat-access/chat-access.ts'
import { serveCheckpoints } from './checkpoints/checkpoints.ts'
import { serveConnections } from './connections/connections.ts'
import type { Feature } from './deps.ts'
import { serveDocuments } from './documents/documents.ts'
import { serveEmbeddingModel } from './embedding-model/embedding-model.ts'
import { serveEmbeds } from './embeds/embeds.ts'
import { serveErasure } from './erasure/erasure.ts'
import { serveExports } from './exports/exports.ts'
import { serveFeedback } from './feedback/feedback.ts'
import { serveGrants } from './grants/grants.ts'
import { serveInputRequests } from './input-requests/input-requests.ts'
import { serveInstalledModels } from './installed-models/installed-models.ts'
import { serveLinkPreviews } from './link-previews/link-previews.ts'
import { serveMedia } from './media/media.ts'
import { serveMessages } from './messages/messages.ts'
import { serveMcpServers, serveOwnTools, serveToolAccounts } from './own-tools/own-tools.ts'
import { servePayments } from './payments/payments.ts'
import { servePrograms } from './programs/programs.ts'
import { serveProspecting } from './prospecting/prospecting.ts'
import { serveQueue } from './queue/queue.ts'
import { serveRag } from './rag/rag.ts'
import { serveRetention } from './retention/retention.ts'
import { serveRetrievalBench } from './retrieval-bench/retrieval-bench.ts'
import { serveRunPrices } from './run-prices/run-prices.ts'
import { serveRuns } from './runs/runs.ts'
import { serveSearch } from './search/search.ts'
import { serveServiceConnections } from './service-connections/service-connections.ts'
import { serveSessions } from './sessions/sessions.ts'
import { serveSetup } from './setup/setup.ts'
import { serveShares } from './shares/shares.ts'
import { serveStreams } from './streams/streams.ts'
import { serveTitles } from './titles/titles.ts'
import { serveToolInterfaces } from './tool-interfaces/tool-interfaces.ts'
import { serveToolPolicies } from './tool-policies/tool-policies.ts'
import { serveToolRuns } from './tool-runs/tool-runs.ts'
import { serveUsage } from './usage/usage.ts'
import { serveUserEvents } from './user-events/user-events.ts'
import { serveVectorDb } from './vector-db/vector-db.ts'
import { serveWebSearch } from './web-search/web-search.ts'
import { serveWebhooks } from './webhooks/webhooks.ts'
import { serveWorkspaces } from './workspaces/workspaces.ts'

/** Every feature of the product, in the order in which its routes are described. */
export const features: Feature[] = [
  serveAccounts,
  serveApiKeys,
  servePrograms,
  serveWebhooks,
  serveConnections,
  serveBilling,
  servePayments,
  serveUsage,
  serveBudgets,
  serveRunPrices,
  serveAssistants,
  serveAssistantTries,
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
  serveToolAccounts,
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
  serveInstalledModels,
  serveRetrievalBench,
  serveQueue,
  serveWebSearch,
  serveLinkPreviews,
  serveServiceConnections,
  serveAdministration,
  serveSetup,
  serveGrants,
  serveAudit,
  serveChatAccess,
  serveRetention,
  serveAnnouncements,
  serveProspecting,
  serveExports,
  serveShares,
  serveErasure,
  serveEmbeds,
]
