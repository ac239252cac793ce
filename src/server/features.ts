import { serveAssistantMails } from './api/assistant-mails/assistant-mails.ts'
import { serveChannels } from './api/channels/channels.ts'
import { serveUserEvents } from './api/user-events/user-events.ts'
import { serveWebhooks } from './api/webhooks/webhooks.ts'
import { serveAssistantTries } from './chat/assistant-tries/assistant-tries.ts'
import { serveAssistants } from './chat/assistants/assistants.ts'
import { serveBeliefs } from './chat/beliefs/beliefs.ts'
import { serveBranches } from './chat/branches/branches.ts'
import { serveChatAccess } from './chat/chat-access/chat-access.ts'
import { serveCheckpoints } from './chat/checkpoints/checkpoints.ts'
import { serveComparisons } from './chat/comparisons/comparisons.ts'
import { serveContextUse } from './chat/context-use/context-use.ts'
import { serveEmbeds } from './chat/embeds/embeds.ts'
import { serveExports } from './chat/exports/exports.ts'
import { serveFeedback } from './chat/feedback/feedback.ts'
import { serveForks } from './chat/forks/forks.ts'
import { serveMemory } from './chat/memory/memory.ts'
import { serveMentions } from './chat/mentions/mentions.ts'
import { serveMessageQueue } from './chat/message-queue/message-queue.ts'
import { serveMessages } from './chat/messages/messages.ts'
import { serveProjectLifecycle } from './chat/project-lifecycle/project-lifecycle.ts'
import { serveProjects } from './chat/projects/projects.ts'
import { servePrompts } from './chat/prompts/prompts.ts'
import { serveRunPrices } from './chat/run-prices/run-prices.ts'
import { serveSchedules } from './chat/schedules/schedules.ts'
import { serveSearchPage } from './chat/search/search.ts'
import { serveSessionMarks } from './chat/session-marks/session-marks.ts'
import { serveSessions } from './chat/sessions/sessions.ts'
import { serveShares } from './chat/shares/shares.ts'
import { serveTemporaryChats } from './chat/temporary-chats/temporary-chats.ts'
import { serveTitles } from './chat/titles/titles.ts'
import { serveTrash } from './chat/trash/trash.ts'
import type { Feature } from './feature.ts'
import { serveAccounts } from './identity/accounts/accounts.ts'
import { serveAdministration } from './identity/administration/administration.ts'
import { serveAnnouncements } from './identity/announcements/announcements.ts'
import { serveApiKeys } from './identity/api-keys/api-keys.ts'
import { serveAudit } from './identity/audit/audit.ts'
import { serveAuditStream } from './identity/audit-stream/audit-stream.ts'
import { serveBranding } from './identity/branding/branding.ts'
import { serveGrants } from './identity/grants/grants.ts'
import { serveHiddenControls } from './identity/hidden-controls/hidden-controls.ts'
import { serveNetworks } from './identity/networks/networks.ts'
import { servePrograms } from './identity/programs/programs.ts'
import { serveSharing } from './identity/sharing/sharing.ts'
import { serveShortcuts } from './identity/shortcuts/shortcuts.ts'
import { serveTerms } from './identity/terms/terms.ts'
import { serveConnectors } from './knowledge/connectors/connectors.ts'
import { serveDocuments } from './knowledge/documents/documents.ts'
import { serveEmbeddingModel } from './knowledge/embedding-model/embedding-model.ts'
import { serveFilePicks } from './knowledge/file-picks/file-picks.ts'
import { serveInstalledModels } from './knowledge/installed-models/installed-models.ts'
import { serveLinkPreviews } from './knowledge/link-previews/link-previews.ts'
import { serveRag } from './knowledge/rag/rag.ts'
import { serveReadableConnectors } from './knowledge/readable-connectors/readable-connectors.ts'
import { serveRetrievalBench } from './knowledge/retrieval-bench/retrieval-bench.ts'
import { serveSearch } from './knowledge/search/search.ts'
import { serveVectorDb } from './knowledge/vector-db/vector-db.ts'
import { serveWebSearch } from './knowledge/web-search/web-search.ts'
import { serveWorkspaceConnectors } from './knowledge/workspace-connectors/workspace-connectors.ts'
import { serveWorkspaces } from './knowledge/workspaces/workspaces.ts'
import { serveCompanies } from './lifecycle/companies/companies.ts'
import { serveErasure } from './lifecycle/erasure/erasure.ts'
import { serveHome } from './lifecycle/home/home.ts'
import { serveImports } from './lifecycle/imports/imports.ts'
import { serveLegalHolds } from './lifecycle/legal-holds/legal-holds.ts'
import { serveNotifications } from './lifecycle/notifications/notifications.ts'
import { serveOutsideAccess } from './lifecycle/outside-access/outside-access.ts'
import { serveOverview } from './lifecycle/overview/overview.ts'
import { serveQueue } from './lifecycle/queue/queue.ts'
import { serveRetention } from './lifecycle/retention/retention.ts'
import { serveSetup } from './lifecycle/setup/setup.ts'
import { serveConnections } from './models/connections/connections.ts'
import { serveDataClasses } from './models/data-classes/data-classes.ts'
import { serveMasking } from './models/masking/masking.ts'
import { serveServiceConnections } from './models/service-connections/service-connections.ts'
import { serveBilling } from './money/billing/billing.ts'
import { serveBudgets } from './money/budgets/budgets.ts'
import { servePayments } from './money/payments/payments.ts'
import { serveUsage } from './money/usage/usage.ts'
import { serveInputRequests } from './runs/input-requests/input-requests.ts'
import { serveRuns } from './runs/runs/runs.ts'
import { serveStreams } from './runs/streams/streams.ts'
import { servePersonalAccounts } from './tools/actions/actions.ts'
import { serveApprovals } from './tools/approvals/approvals.ts'
import { serveDatabases } from './tools/databases/databases.ts'
import { serveMedia } from './tools/media/media.ts'
import { serveMcpServers, serveOwnTools, serveToolAccounts } from './tools/own-tools/own-tools.ts'
import { serveProspecting } from './tools/prospecting/prospecting.ts'
import { serveToolInterfaces } from './tools/tool-interfaces/tool-interfaces.ts'
import { serveCompanyActions, serveToolPolicies } from './tools/tool-policies/tool-policies.ts'
import { serveToolRuns } from './tools/tool-runs/tool-runs.ts'

/** Every feature, in the order of its routes in the API description. */
export const features: Feature[] = [
  serveAccounts,
  serveShortcuts,
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
  serveAssistantMails,
  serveChannels,
  serveAssistantTries,
  servePrompts,
  serveSchedules,
  serveRuns,
  serveStreams,
  serveUserEvents,
  serveSessions,
  serveSessionMarks,
  serveTrash,
  serveTemporaryChats,
  serveProjectLifecycle,
  serveProjects,
  serveMentions,
  serveSearchPage,
  serveMessages,
  serveMessageQueue,
  serveContextUse,
  serveComparisons,
  serveBranches,
  serveForks,
  serveFeedback,
  serveInputRequests,
  serveToolPolicies,
  serveApprovals,
  servePersonalAccounts,
  serveCompanyActions,
  serveToolRuns,
  serveOwnTools,
  serveMcpServers,
  serveToolAccounts,
  serveToolInterfaces,
  serveDatabases,
  serveMedia,
  serveCheckpoints,
  serveBeliefs,
  serveMemory,
  serveTitles,
  serveDocuments,
  serveConnectors,
  serveWorkspaces,
  serveWorkspaceConnectors,
  serveReadableConnectors,
  serveFilePicks,
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
  serveCompanies,
  serveOverview,
  serveOutsideAccess,
  serveSetup,
  serveGrants,
  serveSharing,
  serveAudit,
  serveAuditStream,
  serveMasking,
  serveNetworks,
  serveTerms,
  serveBranding,
  serveDataClasses,
  serveHiddenControls,
  serveChatAccess,
  serveRetention,
  serveLegalHolds,
  serveAnnouncements,
  serveNotifications,
  serveHome,
  serveProspecting,
  serveExports,
  serveImports,
  serveShares,
  serveErasure,
  serveEmbeds,
]
