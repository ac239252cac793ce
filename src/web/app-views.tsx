import { lazyRouteComponent } from '@tanstack/react-router'
import { view } from './views.tsx'

// Every view of the product with the texts it needs. The router loads both before showing a view.

export const ChatView = view(() => import('./chat/messages/chat-view.tsx'), 'ChatView', 'streaming_blocks')
export const UserView = view(() => import('./lifecycle/user/user-view.tsx'), 'UserView')
export const ConsentView = view(
  () => import('./identity/api-keys/consent-view.tsx'),
  'ConsentView',
  'programs',
)
export const HomeView = view(
  () => import('./lifecycle/home/home-view.tsx'),
  'HomeView',
  'home',
  'tool_ui',
  'schedules',
)
export const ReceivedView = view(
  () => import('./lifecycle/installed-app/received-view.tsx'),
  'ReceivedView',
  'streaming_blocks',
)
export const InboxView = view(
  () => import('./chat/inbox/inbox-view.tsx'),
  'InboxView',
  'tool_ui',
  'schedules',
)
const loadNotifications = () => import('./lifecycle/notifications/notification-pages.ts')
export const NotificationsView = view(loadNotifications, 'NotificationsView', 'notifications')
export const MailAnswerPage = view(loadNotifications, 'MailAnswerPage', 'notifications')
export const StopMailsPage = view(loadNotifications, 'StopMailsPage', 'notifications')
export const LibraryView = view(
  () => import('./knowledge/documents/library-view.tsx'),
  'LibraryView',
  'documents',
)
export const PreviewView = view(
  () => import('./knowledge/preview/preview-view.tsx'),
  'PreviewView',
  'documents',
)
export const ModelsView = view(() => import('./lifecycle/models-area/models-view.tsx'), 'ModelsView', 'admin')
export const AdministrationView = view(
  () => import('./lifecycle/administration/administration-view.tsx'),
  'AdministrationView',
  'admin',
  'overview',
  'outside_access',
  'companies',
  'databases',
  'channels',
  'tool_ui',
  'erasure',
  'schedules',
)
export const SetupView = view(
  () => import('./lifecycle/administration/setup-view.tsx'),
  'SetupView',
  'setup',
  'admin',
  'documents',
)
export const BenchView = view(
  () => import('./knowledge/retrieval-bench/bench-view.tsx'),
  'BenchView',
  'admin',
)
export const DebugView = view(() => import('./lifecycle/debug/debug-view.tsx'), 'DebugView', 'admin')
export const NotImplemented = view(
  () => import('./lifecycle/shell/not-implemented-view.tsx'),
  'NotImplementedView',
)
export const ToolsView = view(() => import('./tools/tools/tools-view.tsx'), 'ToolsView', 'tools', 'own_tools')
export const ToolView = view(
  () => import('./tools/tools/tool-view.tsx'),
  'ToolView',
  'tools',
  'own_tools',
  'tool_ui',
  'documents',
)
const loadOwnTools = () => import('./tools/tools/own-pages.ts')
const ownTexts = ['own_tools', 'tools', 'tool_ui', 'streaming_blocks', 'documents'] as const
export const CreateTool = view(loadOwnTools, 'CreateToolView', ...ownTexts)
export const EditTool = view(loadOwnTools, 'EditToolView', ...ownTexts)
export const ImportTools = view(loadOwnTools, 'OpenApiView', ...ownTexts)
export const ServersView = view(() => import('./tools/mcp-servers/servers-view.tsx'), 'ServersView', 'tools')
export const ServerView = view(() => import('./tools/mcp-servers/server-view.tsx'), 'ServerView', 'tools')
const loadAssistants = () => import('./chat/assistants/assistant-pages.ts')
export const AssistantsView = view(loadAssistants, 'AssistantsView', 'assistant', 'streaming_blocks')
export const CreateAssistant = view(
  loadAssistants,
  'CreateView',
  'assistant',
  'streaming_blocks',
  'tool_ui',
  'documents',
)
export const EditAssistant = view(
  loadAssistants,
  'EditView',
  'assistant',
  'streaming_blocks',
  'tool_ui',
  'documents',
)
export const AssistantView = view(
  loadAssistants,
  'DetailsView',
  'assistant',
  'streaming_blocks',
  'tool_ui',
  'documents',
)
const loadPrompts = () => import('./chat/prompts/prompt-pages.ts')
const promptTexts = ['prompts', 'streaming_blocks', 'documents', 'assistant', 'tools', 'tool_ui'] as const
const loadSchedules = () => import('./chat/schedules/schedule-pages.ts')
const scheduleTexts = ['schedules', 'streaming_blocks', 'documents', 'assistant'] as const
export const SchedulesView = view(loadSchedules, 'SchedulesView', 'schedules')
export const CreateSchedule = view(loadSchedules, 'CreateScheduleView', ...scheduleTexts)
export const ScheduleView = view(loadSchedules, 'ScheduleView', ...scheduleTexts)
export const PromptsView = view(loadPrompts, 'PromptsView', 'prompts')
export const CreatePrompt = view(loadPrompts, 'CreatePromptView', ...promptTexts)
export const PromptView = view(loadPrompts, 'PromptView', ...promptTexts)
export const ImportsView = view(
  () => import('./lifecycle/imports/imports-view.tsx'),
  'ImportsView',
  'imports',
)
export const ConnectorsView = view(
  () => import('./knowledge/connectors/connectors-view.tsx'),
  'ConnectorsView',
  'connectors',
  'sharing',
)
export const TrashView = view(() => import('./chat/trash/trash-view.tsx'), 'TrashView', 'trash')
export const SearchView = view(() => import('./chat/search/search-view.tsx'), 'SearchView', 'search')
export const MemoryView = view(() => import('./chat/memory/memory-view.tsx'), 'MemoryView', 'memory')
const loadProject = () => import('./chat/projects/project-pages.ts')
export const ProjectView = view(loadProject, 'ProjectView', 'projects', 'sharing', 'streaming_blocks')
const loadUnsubscribe = () => import('./identity/accounts/unsubscribe-page.tsx')
export const UnsubscribePage = lazyRouteComponent(loadUnsubscribe, 'UnsubscribePage')
export const EmbeddedPage = view(
  () => import('./chat/embeds/embedded-page.tsx'),
  'EmbeddedPage',
  'embeds',
  'streaming_blocks',
  'tool_ui',
)
export const SharedPage = view(() => import('./chat/shares/shared-page.tsx'), 'SharedPage', 'exports')
export const ReceiptPage = view(
  () => import('./lifecycle/erasure/receipt-page.tsx'),
  'ReceiptPage',
  'erasure',
)
