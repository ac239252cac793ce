import { Outlet } from '@tanstack/react-router'
import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { askToMove, MoveChats, ProjectsPlace } from '../../chat/projects/projects.tsx'
import { followProfileLanguage, loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { useChatPanel } from '../../platform/lib/chat-panel.ts'
import {
  requestSearch,
  setHelpOpen,
  setPaletteOpen,
  setSheetOpen,
  setSidebarOpen,
  useLayout,
} from '../../platform/lib/layout.ts'
import { useIsOpen, useMe, useTokenValidation } from '../../platform/lib/me/me.ts'
import { useSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { PHONE, ROOMY, useIdle, useMedia } from '../../platform/lib/page-state.ts'
import { useUploadState } from '../../platform/lib/uploads/upload-state.ts'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { HistoryList } from '../../runs/sessions/history-list.tsx'
import { useUntouched } from '../onboarding/use-untouched.ts'
import { useColumnWidth } from '../user/column-width.ts'
import { useShortcuts } from './shortcuts/use-shortcuts.ts'
import { Rail, Sidebar } from './sidebar.tsx'
import { useNavigationEffects, useShownPath } from './use-navigation-effects.ts'
import { useNewChat } from './use-new-chat.ts'
import { viewOf } from './view-names.ts'

const Sheet = lazy(() => import('./sheet.tsx').then(({ Sheet }) => ({ default: Sheet })))
const SessionExpiredDialog = lazy(() => import('./session-expired-dialog.tsx'))
const TooltipLayer = lazy(() =>
  import('../../platform/ui/overlays/tooltip-layer.tsx').then((file) => ({ default: file.TooltipLayer })),
)
const LibrarySidebar = lazy(() =>
  import('../../knowledge/documents/library-sidebar.tsx').then((file) => ({ default: file.LibrarySidebar })),
)
const UploadPanel = lazy(() =>
  import('../../knowledge/uploads/upload-panel.tsx').then((file) => ({ default: file.UploadPanel })),
)
const ChatsOpenedNotice = lazy(async () => {
  const [file] = await Promise.all([
    import('../../chat/chat-access/chat-access.tsx'),
    loadTexts('chat_access'),
  ])
  return { default: file.ChatsOpenedNotice }
})
const announcements = () =>
  Promise.all([import('../../identity/announcements/announcements.tsx'), loadTexts('announcements')])
const AnnouncementStrip = lazy(async () => ({ default: (await announcements())[0].AnnouncementStrip }))
const LateAnnouncements = lazy(async () => ({ default: (await announcements())[0].LateAnnouncements }))
const OutboxSender = lazy(() => import('../../chat/messages/outbox-sender.tsx'))
const InstalledApp = lazy(() => import('../installed-app/installed-app.tsx'))
const ShortcutsSheet = lazy(async () => {
  const [file] = await Promise.all([import('./shortcuts/shortcuts-sheet.tsx'), loadTexts('shortcuts')])
  return file
})
const loadPalette = () => Promise.all([import('./palette/palette.tsx'), loadTexts('palette', 'admin')])
const Palette = lazy(async () => (await loadPalette())[0])
const ChatPanel = lazy(() => import('./chat-panel.tsx'))
const DocumentInAddress = lazy(() => import('../../knowledge/preview/document-in-address.tsx'))

/** Shows changes as they happen. */
function followLive(userId: string): () => void {
  let isLeft = false
  let leave = () => {
    isLeft = true
  }
  void import('../../api/user-events/user-events.ts').then(({ followUser }) => {
    if (!isLeft) leave = followUser(userId)
  })
  return () => leave()
}

// A lazy component cannot be the file of another one.
const ExportDialog = lazy(async () => {
  const { ExportDialog: Dialog } = await import('../../chat/exports/exports.tsx')
  return { default: (props: ComponentProps<typeof Dialog>) => <Dialog {...props} /> }
})
const exportOf = (ids: readonly string[], onClose: () => void) => (
  <ExportDialog sessionIds={ids} onClose={onClose} />
)

/** The frame of every view of a signed-in person. */
export function Shell() {
  const me = useMe()
  return me && <ShellFor me={me} />
}

function ShellFor({ me }: { me: User }) {
  const { t } = useTranslation('common')
  const isPhone = useMedia(PHONE)
  const isRoomy = useMedia(ROOMY)
  const isSidebarOpen = useLayout((state) => state.isSidebarOpen)
  const isHelpOpen = useLayout((state) => state.isHelpOpen)
  const isExpired = useSessionExpired((state) => state.isExpired)
  const newChat = useNewChat()
  const path = useShownPath()
  const view = viewOf(path)
  const chatId = chatIn(path)
  const hasPanel = useChatPanel((state) => state.shown !== null) && chatId !== null
  useTokenValidation()
  useColumnWidth()
  useNavigationEffects(me, path)
  const palette = usePalette()
  useShortcuts({
    new_chat: () => void newChat(),
    palette: () => setPaletteOpen(true),
    search: openSearch,
    sidebar: toggleSidebar,
    sheet: () => setHelpOpen(true),
  })
  useEffect(() => void followProfileLanguage(me.language), [me.language])
  // The frame loads after the view.
  const isIdle = useIdle()
  useEffect(() => (isIdle ? followLive(me.id) : undefined), [isIdle, me.id])
  const isUploading = useUploadState((state) => state.isShown)
  const mayExport = useIsOpen('exports')
  const chats = (
    <>
      <ProjectsPlace />
      <HistoryList exportOf={mayExport ? exportOf : null} onPlace={askToMove} />
    </>
  )
  const history = view === 'documents' ? <LibrarySidebar history={chats} /> : chats
  const announced = me.announcements ?? 0
  const strip = useStrip(announced, path)
  const sidebar = <Sidebar me={me} onNewChat={newChat} history={history} isSheet={isPhone} />
  return (
    <div className="flex h-dvh flex-col overflow-hidden print:block print:h-auto print:overflow-visible">
      <a
        href="#main"
        className="fixed print:hidden top-2 left-2 z-(--z-toast) rounded-control bg-raised px-3 py-2 text-13 font-medium opacity-0 shadow-float not-focus:pointer-events-none focus:opacity-100"
      >
        {t('nav.skip')}
      </a>
      {strip.isShown && (
        <div role="status" className="h-10 print:hidden flex-none border-b border-line bg-surface">
          <Suspense fallback={null}>
            <AnnouncementStrip onGone={strip.close} />
          </Suspense>
        </div>
      )}
      <div className="flex min-h-0 flex-1 print:block">
        {isPhone ? (
          <Suspense fallback={null}>
            <Sheet>{sidebar}</Sheet>
          </Suspense>
        ) : isSidebarOpen ? (
          sidebar
        ) : (
          <Rail me={me} onNewChat={newChat} />
        )}
        <div className="view-area flex min-w-0 flex-1 print:block">
          <Suspense key={view} fallback={<Loader text={t('loading_view')} />}>
            <Outlet />
          </Suspense>
          {chatId !== null && <RightSidebar sessionId={chatId} isOpen={hasPanel} />}
        </div>
      </div>
      <Floating
        me={me}
        isIdle={isIdle}
        isPhone={isPhone}
        isDocked={!isRoomy || hasPanel || view !== 'chat'}
      />
      <Requests isIdle={isIdle} />
      <MoveChats />
      {isIdle && (
        <Suspense fallback={null}>
          <TooltipLayer />
          <OutboxSender />
          <InstalledApp />
          {chatId !== null && <DocumentInAddress />}
          {isUploading && <UploadPanel />}
          {(me.unseen_chat_accesses ?? 0) > 0 && <ChatsOpenedNotice />}
          {announced > 0 && !strip.isShown && <LateAnnouncements />}
        </Suspense>
      )}
      {palette.wasOpened && (
        <Suspense fallback={null}>
          <Palette me={me} isOpen={palette.isOpen} onNewChat={newChat} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutsSheet onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
      {isExpired && (
        <Suspense fallback={null}>
          <SessionExpiredDialog me={me} />
        </Suspense>
      )}
    </div>
  )
}

/** State of the palette. Its code is preloaded when the page is idle, so that no letter is lost. */
function usePalette() {
  const isOpen = useLayout((state) => state.isPaletteOpen)
  const isIdle = useIdle()
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  useEffect(() => {
    if (isIdle) void loadPalette().catch(() => undefined)
  }, [isIdle])
  return { isOpen, wasOpened }
}

/** Reserves the space of announcements when a view opens, so that nothing moves under a reader's eyes. */
function useStrip(announced: number, path: string) {
  const [strip, setStrip] = useState({ path, isShown: announced > 0 })
  if (strip.path !== path) setStrip({ path, isShown: announced > 0 })
  return { isShown: strip.isShown, close: () => setStrip({ path, isShown: false }) }
}

const BalanceButton = lazy(() =>
  import('../../money/billing/balance-button.tsx').then(({ BalanceButton }) => ({ default: BalanceButton })),
)

const Onboarding = lazy(async () => {
  const [file] = await Promise.all([import('../onboarding/onboarding.tsx'), loadTexts('onboarding')])
  return { default: file.Onboarding }
})

/** Only the chat has one. Its code is loaded when it is first opened. */
function RightSidebar({ sessionId, isOpen }: { sessionId: string; isOpen: boolean }) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return (
    wasOpen && (
      <Suspense fallback={null}>
        <ChatPanel sessionId={sessionId} />
      </Suspense>
    )
  )
}

type FloatingProps = { me: User; isIdle: boolean; isDocked: boolean; isPhone: boolean }

/**
 * Balance and help float next to a chat in a wide window. Elsewhere they are in the top bar, where they cover nothing; on phones
 * help is in the sidebar.
 */
function Floating({ me, isIdle, isDocked, isPhone }: FloatingProps) {
  const { t } = useTranslation('common')
  const slot = useLayout((state) => state.topBarSlot)
  const [helpPlace, setHelpPlace] = useState<HTMLElement | null>(null)
  const sheetFoot = useLayout((state) => state.sheetFoot)
  const isUntouched = useUntouched()
  // It holds the place of the button while its code is loaded. In the top bar it is the last.
  const help = (
    <span ref={setHelpPlace} className={isPhone ? 'contents' : 'order-1 inline-flex w-9 flex-none'} />
  )
  const buttons = (
    <>
      <Suspense fallback={null}>
        <BalanceButton />
      </Suspense>
      {!isPhone && help}
    </>
  )
  return (
    <>
      {isDocked ? (
        slot && createPortal(buttons, slot)
      ) : (
        <aside
          aria-label={t('nav.floating')}
          className="fixed print:hidden right-4 bottom-5 z-(--z-float) flex items-center gap-2"
        >
          {buttons}
        </aside>
      )}
      {isPhone && sheetFoot && createPortal(help, sheetFoot)}
      {/* Separate from its button, because a tour continues if the button moves. */}
      {isIdle && (
        <Suspense fallback={null}>
          <Onboarding me={me} helpPlace={helpPlace} isUntouched={isUntouched} />
        </Suspense>
      )}
    </>
  )
}

/** Returns the session of the current chat; null in other views and at the root. */
function chatIn(path: string): string | null {
  return /^\/chat\/([^/]+)$/.exec(path)?.[1] ?? null
}

const InboxButton = lazy(() =>
  import('../../chat/inbox/inbox-button.tsx').then(({ InboxButton }) => ({ default: InboxButton })),
)

const NotificationsButton = lazy(async () => {
  const [file] = await Promise.all([import('../notifications/notifications.tsx'), loadTexts('notifications')])
  return { default: file.NotificationsButton }
})

/** Notifications and waiting requests, in the top bar of every view. */
function Requests({ isIdle }: { isIdle: boolean }) {
  const slot = useLayout((state) => state.topBarSlot)
  if (!slot) return null
  return createPortal(
    <>
      <span className="inline-flex w-8 flex-none max-md:w-11">
        <Suspense fallback={null}>{isIdle && <NotificationsButton />}</Suspense>
      </span>
      <span className="inline-flex w-8 flex-none max-md:w-11">
        <Suspense fallback={null}>{isIdle && <InboxButton />}</Suspense>
      </span>
    </>,
    slot,
  )
}

function openSearch() {
  if (matchMedia(PHONE).matches) setSheetOpen(true)
  else setSidebarOpen(true)
  requestSearch()
}

function toggleSidebar() {
  const { isSidebarOpen, isSheetOpen } = useLayout.getState()
  if (matchMedia(PHONE).matches) setSheetOpen(!isSheetOpen)
  else setSidebarOpen(!isSidebarOpen)
}
