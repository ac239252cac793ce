import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
  useParams,
} from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LoginLayout } from './accounts/login-layout.tsx'
import { LoginPage } from './accounts/login-page.tsx'
import { followQueryLanguage } from './i18n/i18n.ts'
import { dropAuthToken } from './lib/auth-token.ts'
import { signedInLoginTarget } from './lib/last-path.ts'
import { prefersReducedMotion } from './lib/page-state.ts'
import { isAdmin, isSuperAdmin } from './lib/roles.ts'
import { getToken } from './lib/token.ts'
import { Gate, UnknownPath } from './shell/gate.tsx'
import { LoginGate } from './shell/login-gate.tsx'
import { transitionBetween, userTabs } from './shell/view-names.ts'

const ForRole = lazy(() => import('./shell/for-role.tsx'))
const ChatView = lazy(() => import('./messages/chat-view.tsx').then((file) => ({ default: file.ChatView })))
const UserView = lazy(() => import('./user/user-view.tsx').then((file) => ({ default: file.UserView })))
const InboxView = lazy(() => import('./inbox/inbox-view.tsx').then((file) => ({ default: file.InboxView })))
const ModelsView = lazy(() =>
  import('./connections/models-view.tsx').then((file) => ({ default: file.ModelsView })),
)
const DebugView = lazy(() => import('./debug/debug-view.tsx').then((file) => ({ default: file.DebugView })))
const ToolsView = lazy(() => import('./tools/tools-view.tsx').then((file) => ({ default: file.ToolsView })))
const ToolView = lazy(() => import('./tools/tool-view.tsx').then((file) => ({ default: file.ToolView })))
const ViewError = lazy(() => import('./shell/view-error.tsx').then((file) => ({ default: file.ViewError })))
const NotImplemented = lazy(() =>
  import('./shell/not-implemented-view.tsx').then((file) => ({ default: file.NotImplementedView })),
)

const root = createRootRoute({
  beforeLoad: async ({ location }) => {
    const rest = dropAuthToken(location.searchStr)
    if (rest !== null) throw redirect({ href: location.pathname + rest, replace: true })
    await followQueryLanguage(location.searchStr)
  },
  component: Outlet,
  notFoundComponent: UnknownPath,
})

const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginArea })
const loginPages = [
  createRoute({
    getParentRoute: () => login,
    path: '/',
    beforeLoad: ({ search }) => {
      const isReturn = ['token', 'error', 'sso_error'].some((name) => name in search)
      if (getToken() && !isReturn) throw redirect({ to: signedInLoginTarget(), replace: true })
    },
    component: LoginPage,
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/signup',
    component: lazyRouteComponent(() => import('./accounts/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./accounts/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./accounts/reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('./accounts/verify-page.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => login,
    path: '/check-email',
    component: lazyRouteComponent(() => import('./accounts/check-email-page.tsx'), 'CheckEmailPage'),
  }),
]

/** The short names of the login pages lead to them and keep their query. */
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

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Gate })

/** `/`, `/chat` and `/chat/{id}` are one view: going between them must not build it anew. */
const chat = createRoute({ getParentRoute: () => shell, id: 'chat', component: ChatRoute })
const chatPaths = ['/', '/chat', '/chat/$chatUid'].map((path) =>
  createRoute({ getParentRoute: () => chat, path }),
)

const openPaths = [
  '/documents',
  '/documents/$documentId',
  '/documents/preview/$documentId',
  '/documents/workspace/$workspaceId',
  '/documents/workspace/$workspaceId/preview/$documentId',
  '/assistant',
  '/assistant/create',
  '/assistant/$assistantId',
  '/assistant/$assistantId/details',
  '/assistant/$assistantId/edit/{-$section}',
]
const openViews = openPaths.map((path) =>
  createRoute({ getParentRoute: () => shell, path, component: NotImplemented }),
)

const inbox = createRoute({ getParentRoute: () => shell, path: '/inbox', component: InboxView })

const tools = createRoute({ getParentRoute: () => shell, path: '/tools', component: ToolsView })
const tool = createRoute({ getParentRoute: () => shell, path: '/tools/$toolId', component: ToolView })

const roleViews = [
  createRoute({
    getParentRoute: () => shell,
    path: '/debug',
    component: () => (
      <ForRole allows={isSuperAdmin}>
        <DebugView />
      </ForRole>
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/admin',
    component: () => (
      <ForRole allows={isAdmin}>
        <NotImplemented />
      </ForRole>
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/admin/models',
    component: () => (
      <ForRole allows={isSuperAdmin}>
        <ModelsView />
      </ForRole>
    ),
  }),
]

const user = createRoute({ getParentRoute: () => shell, path: '/user/{-$tab}', component: UserRoute })

/** Recorded blocks and states to look at while developing; a build has neither the page nor its address. */
const galleries = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => shell,
        path: '/gallery',
        component: lazy(() => import('./gallery/gallery.tsx').then((file) => ({ default: file.Gallery }))),
      }),
    ]
  : []

const routeTree = root.addChildren([
  login.addChildren(loginPages),
  ...shortcuts,
  shell.addChildren([
    chat.addChildren(chatPaths),
    ...openViews,
    tools,
    tool,
    inbox,
    ...roleViews,
    user,
    ...galleries,
  ]),
])

/** Every address of the product. Queries stay text: a token of digits is no number. `history` is the browser's unless given. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text ? `?${text}` : ''
    },
    notFoundMode: 'root',
    defaultErrorComponent: BrokenView,
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

function BrokenView() {
  return (
    <Suspense>
      <ViewError />
    </Suspense>
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

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Where a visitor came from before the login page. */
    from?: string
    /** What the check-email page shows. */
    message?: string
    email?: string
    verificationRequired?: boolean
  }
}
