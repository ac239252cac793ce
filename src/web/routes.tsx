import {
  type AsyncRouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
  useParams,
} from '@tanstack/react-router'
import { lazy } from 'react'
import { EMBED_PAGE } from '#shared/chat/embeds/addresses.ts'
import { CONSENT_PATH } from '#shared/identity/programs/addresses.ts'
import {
  AdministrationView,
  AssistantsView,
  AssistantView,
  BenchView,
  ChatView,
  ConnectorsView,
  ConsentView,
  CreateAssistant,
  CreatePrompt,
  CreateSchedule,
  CreateTool,
  DebugView,
  EditAssistant,
  EditTool,
  EmbeddedPage,
  HomeView,
  ImportsView,
  ImportTools,
  InboxView,
  LibraryView,
  MailAnswerPage,
  MemoryView,
  ModelsView,
  NotImplemented,
  NotificationsView,
  PreviewView,
  ProjectView,
  PromptsView,
  PromptView,
  ReceiptPage,
  ReceivedView,
  SchedulesView,
  ScheduleView,
  SearchView,
  ServersView,
  ServerView,
  SetupView,
  SharedPage,
  StopMailsPage,
  ToolsView,
  ToolView,
  TrashView,
  UnsubscribePage,
  UserView,
} from './app-views.tsx'
import { LoginLayout } from './identity/accounts/login-layout.tsx'
import { LoginPage } from './identity/accounts/login-page.tsx'
import { Gate, Home, UnknownPath } from './lifecycle/shell/gate.tsx'
import { LoadingPage } from './lifecycle/shell/loading-page.tsx'
import { LoginGate } from './lifecycle/shell/login-gate.tsx'
import { ViewError } from './lifecycle/shell/view-error.tsx'
import { transitionBetween, userTabs } from './lifecycle/shell/view-names.ts'
import { followQueryLanguage, loadTexts, useTranslation } from './platform/i18n/i18n.ts'
import { signedInLoginTarget } from './platform/lib/last-path.ts'
import { isAdmin, isSuperAdmin } from './platform/lib/me/roles.ts'
import { getToken } from './platform/lib/me/token.ts'
import { prefersReducedMotion } from './platform/lib/page-state.ts'
import { takeAuthToken } from './platform/lib/visit/auth-token.ts'
import { leaveEmbed } from './platform/lib/visit/leave-embed.ts'
import { Loader } from './platform/ui/states/loader.tsx'
import { keepFilter, stringifySearch } from './runs/sessions/history-params.ts'
import { forFeature, forRole, withPreload } from './views.tsx'

/** Time before a placeholder replaces the previous view. */
const PENDING_MS = 150

const root = createRootRoute({
  beforeLoad: async ({ location }) => {
    const href = takeAuthToken({ pathname: location.pathname, search: location.searchStr })
    if (href !== null) throw redirect({ href, replace: true })
    await leaveEmbed(location.pathname, location.href)
    await followQueryLanguage(location.searchStr)
  },
  component: Outlet,
  notFoundComponent: () => <UnknownPath />,
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: withPreload(LoginArea, () => loadTexts('login')),
})
const loginPages = [
  createRoute({
    getParentRoute: () => login,
    path: '/',
    beforeLoad: ({ search, location }) => {
      const isReturn =
        location.state.isReturning || ['token', 'error', 'sso_error'].some((name) => name in search)
      if (getToken() && !isReturn) throw redirect({ to: signedInLoginTarget(), replace: true })
    },
    component: LoginPage,
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/signup',
    component: lazyRouteComponent(() => import('./identity/accounts/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./identity/accounts/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./identity/accounts/reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('./identity/accounts/verify-page.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/check-email',
    component: lazyRouteComponent(() => import('./identity/accounts/check-email-page.tsx'), 'CheckEmailPage'),
  }),
  createRoute({ getParentRoute: () => login, path: '/unsubscribe', component: UnsubscribePage }),
  createRoute({ getParentRoute: () => login, path: '/stop-mails', component: StopMailsPage }),
  createRoute({ getParentRoute: () => login, path: '/answer', component: MailAnswerPage }),
  createRoute({
    getParentRoute: () => login,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./identity/accounts/invitation-page.tsx'), 'InvitationPage'),
  }),
]

/** Short names of the login pages redirect to them and keep their query. */
const shortcuts = ['/signup', '/forgot-password', '/reset-password', '/verify-email', '/check-email'].map(
  (path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: ({ location }) => {
        throw redirect({ href: `/login${path}${location.searchStr}`, replace: true })
      },
    }),
)

/** A share link, outside of the shell, so that no one needs to be signed in. */
const shared = createRoute({
  getParentRoute: () => root,
  path: '/s/$token',
  component: SharedPage,
  pendingComponent: LoadingView,
})

/** The receipt of a deleted account. */
const receipt = createRoute({
  getParentRoute: () => root,
  path: '/receipt/$token',
  component: ReceiptPage,
  pendingComponent: LoadingView,
})
/** An embedded assistant for visitors without an account. */
const embedded = createRoute({
  getParentRoute: () => root,
  path: EMBED_PAGE,
  component: EmbeddedPage,
  pendingComponent: LoadingView,
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  search: { middlewares: [keepFilter] },
  component: withPreload(Gate, async () => getToken() && Home.preload?.()),
  pendingComponent: LoadingPage,
})

/** `/`, `/chat` and `/chat/{id}` are one view, which must not remount between them. */
const chat = createRoute({
  getParentRoute: () => shell,
  id: 'chat',
  component: withPreload(ChatRoute, async () => ChatView.preload?.()),
  pendingComponent: LoadingView,
})
const chatPaths = ['/', '/chat', '/chat/$chatUid'].map((path) =>
  createRoute({ getParentRoute: () => chat, path }),
)

const assistants = [
  viewRoute('/assistant', AssistantsView),
  viewRoute('/assistant/create', CreateAssistant, 'create_assistant'),
  viewRoute('/assistant/$assistantId', AssistantView),
  viewRoute('/assistant/$assistantId/details', AssistantView),
  viewRoute('/assistant/$assistantId/edit/{-$section}', EditAssistant),
]

const prompts = [
  viewRoute('/prompts', PromptsView),
  viewRoute('/prompts/create', CreatePrompt),
  viewRoute('/prompts/$promptId', PromptView),
]

const schedules = [
  viewRoute('/schedules', SchedulesView),
  viewRoute('/schedules/create', CreateSchedule),
  viewRoute('/schedules/$scheduleId', ScheduleView),
]

const library = ['/documents', '/documents/workspace/$workspaceId'].map((path) =>
  viewRoute(path, LibraryView),
)
const previews = [
  '/documents/$documentId',
  '/documents/preview/$documentId',
  '/documents/workspace/$workspaceId/preview/$documentId',
].map((path) => viewRoute(path, PreviewView, ''))
const consent = viewRoute(CONSENT_PATH, ConsentView, 'api_keys')

const tools = viewRoute('/tools', ToolsView)
const mcpServers = viewRoute('/tools/servers', ServersView, 'mcp_servers')
const mcpServer = viewRoute('/tools/servers/$serverId', ServerView, 'mcp_servers')
const tool = viewRoute('/tools/$toolId', ToolView)
const ownTools = [
  viewRoute('/tools/create', CreateTool, 'own_tools'),
  viewRoute('/tools/openapi', ImportTools, 'own_tools'),
  viewRoute('/tools/$toolId/edit', EditTool, 'own_tools'),
]

const roleViews = [
  viewRoute('/debug', forRole(isSuperAdmin, DebugView)),
  viewRoute('/debug/bench', forRole(isSuperAdmin, BenchView)),
  viewRoute('/admin', forRole(isAdmin, AdministrationView)),
  viewRoute('/admin/$page', forRole(isAdmin, NotImplemented)),
  viewRoute('/admin/models', forRole(isSuperAdmin, ModelsView)),
  viewRoute('/setup', forRole(isSuperAdmin, SetupView)),
]

const user = viewRoute(
  '/user/{-$tab}',
  withPreload(UserRoute, async () => UserView.preload?.()),
  '',
)

/** Recorded blocks and states for development; a build has neither the page nor its address. */
const galleries = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => shell,
        path: '/gallery',
        component: lazy(() =>
          import('./lifecycle/gallery/gallery.tsx').then((file) => ({ default: file.Gallery })),
        ),
      }),
    ]
  : []

const routeTree = root.addChildren([
  login.addChildren(loginPages),
  ...shortcuts,
  shared,
  receipt,
  embedded,
  shell.addChildren([
    chat.addChildren(chatPaths),
    ...assistants,
    ...prompts,
    ...schedules,
    viewRoute('/project/$projectId/{-$tab}', ProjectView),
    tools,
    ...ownTools,
    mcpServers,
    mcpServer,
    tool,
    viewRoute('/home', HomeView),
    viewRoute('/received', ReceivedView),
    viewRoute('/inbox', InboxView),
    viewRoute('/notifications', NotificationsView),
    viewRoute('/trash', TrashView),
    viewRoute('/user/data/import/{-$importId}', ImportsView, 'import'),
    viewRoute('/documents/connectors/{-$connectorId}', ConnectorsView, ''),
    viewRoute('/memory', MemoryView),
    viewRoute('/search', SearchView),
    consent,
    ...library,
    ...previews,
    ...roleViews,
    user,
    ...galleries,
  ]),
])

/**
 * Creates the router with every address of the product. Query values stay text, because a token of digits is not a number.
 * `history` is the browser's by default.
 */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch,
    notFoundMode: 'root',
    defaultErrorComponent: ViewError,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0,
    defaultViewTransition: {
      types: ({ fromLocation, toLocation }) => {
        if (prefersReducedMotion()) return false
        const transition = transitionBetween(fromLocation?.pathname, toLocation.pathname)
        return transition === null ? false : [transition]
      },
    },
  })
}

function LoginArea() {
  return (
    <LoginGate>
      <LoginLayout>
        <Outlet />
      </LoginLayout>
    </LoginGate>
  )
}

/**
 * Creates a route of the shell. A slow view has a placeholder. `open` names the feature or control without which the page says that it is
 * closed or hidden; the first part of the path by default, none when empty.
 */
function viewRoute(path: string, view: AsyncRouteComponent<object>, open = path.split('/')[1]) {
  const component = open ? forFeature(open, view) : view
  return createRoute({ getParentRoute: () => shell, path, component, pendingComponent: LoadingView })
}

function LoadingView() {
  const { t } = useTranslation('common')
  return (
    <main id="main" tabIndex={-1} className="flex-1">
      <Loader text={t('loading_view')} />
    </main>
  )
}

function ChatRoute() {
  const { chatUid } = useParams({ strict: false }) as { chatUid?: string }
  return <ChatView chatUid={chatUid ?? null} />
}

function UserRoute() {
  const { tab } = useParams({ strict: false }) as { tab?: string }
  return tab === undefined || userTabs.includes(tab) ? <UserView /> : <UnknownPath />
}
