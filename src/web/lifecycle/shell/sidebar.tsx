import { PanelLeft, Search, SquarePen, X } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setPaletteOpen, setSheetFoot, setSheetOpen, setSidebarOpen } from '../../platform/lib/layout.ts'
import { useKeysOf } from '../../platform/lib/me/shortcuts.ts'
import { Button } from '../../platform/ui/button.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Kbd, shortcutLabel } from '../../platform/ui/kbd.tsx'
import { Mark } from '../../platform/ui/mark.tsx'
import { Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { NavEntries } from './nav-entries.tsx'
import { ProfileMenu } from './profile-menu.tsx'

type Props = { me: User; onNewChat: () => void }

/** The left sidebar at full width: 300 px, or a full phone sheet. */
export function Sidebar({
  me,
  onNewChat,
  history,
  isSheet = false,
}: Props & { history: ReactNode; isSheet?: boolean }) {
  const { t } = useTranslation('common')
  const keysOf = useKeysOf()
  return (
    <nav
      aria-label={t('nav.main')}
      className="flex print:hidden h-full w-75 max-w-full min-h-0 flex-none flex-col border-r border-line bg-surface max-md:w-full"
    >
      <div className="flex h-13 flex-none items-center gap-2.5 pr-2.5 pl-4 text-15 font-semibold tracking-[-0.015em]">
        <Mark />
        <span className="flex-1">{t('app_name')}</span>
        {isSheet ? (
          <IconButton name={t('nav.close_menu')} onClick={() => setSheetOpen(false)}>
            <X aria-hidden className="icon" />
          </IconButton>
        ) : (
          <IconButton name={t('nav.collapse')} aria-expanded onClick={() => setSidebarOpen(false)}>
            <PanelLeft aria-hidden className="icon" />
          </IconButton>
        )}
      </div>
      <div className="flex gap-2 px-3 pt-1 pb-2">
        <Button
          data-tour="new-chat"
          className="!h-9 min-w-0 flex-1 !justify-start max-md:!h-11"
          icon={<SquarePen aria-hidden className="icon" />}
          onClick={onNewChat}
        >
          {/* Shortcuts without space wrap to a second line, which is hidden. */}
          <span className="flex h-5 min-w-0 flex-1 flex-wrap items-center gap-x-2 overflow-hidden">
            <span className="leading-5 whitespace-nowrap">{t('nav.new_chat')}</span>
            <span className="ml-auto leading-5 max-md:hidden">
              <Kbd>{shortcutLabel(keysOf('new_chat'))}</Kbd>
            </span>
          </span>
        </Button>
        <IconButton
          data-tour="search"
          name={t('nav.search')}
          keys={shortcutLabel(keysOf('palette'))}
          size="lg"
          variant="lined"
          onClick={openPalette}
        >
          <Search aria-hidden className="icon" />
        </IconButton>
      </div>
      <NavEntries me={me} />
      <div data-tour="history" className="flex min-h-0 flex-1 flex-col border-t border-line">
        <Suspense fallback={<HistorySkeleton />}>{history}</Suspense>
      </div>
      <div className="flex items-center border-t border-line">
        <ProfileMenu me={me} />
        {isSheet && <span ref={setSheetFoot} className="flex-none pr-2 empty:hidden" />}
      </div>
    </nav>
  )
}

/** The collapsed sidebar: 56 px of icons. */
export function Rail({ me, onNewChat }: Props) {
  const { t } = useTranslation('common')
  const keysOf = useKeysOf()
  return (
    <nav
      aria-label={t('nav.main')}
      className="flex print:hidden w-14 flex-none flex-col items-center gap-1 border-r border-line bg-surface pt-[9px] pb-3.5"
    >
      <IconButton
        name={t('nav.expand')}
        size="lg"
        aria-expanded={false}
        className="mb-2"
        onClick={() => setSidebarOpen(true)}
      >
        <Mark />
      </IconButton>
      <IconButton
        name={t('nav.new_chat')}
        keys={shortcutLabel(keysOf('new_chat'))}
        size="lg"
        onClick={onNewChat}
      >
        <SquarePen aria-hidden className="icon" />
      </IconButton>
      <IconButton
        name={t('nav.search')}
        keys={shortcutLabel(keysOf('palette'))}
        size="lg"
        onClick={openPalette}
      >
        <Search aria-hidden className="icon" />
      </IconButton>
      <NavEntries me={me} isRail />
      <span className="flex-1" />
      <ProfileMenu me={me} isRail />
    </nav>
  )
}

const openPalette = () => {
  setSheetOpen(false)
  setPaletteOpen(true)
}

function HistorySkeleton() {
  return (
    <div className="grid gap-5 px-6 pt-8">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row} className="grid gap-2">
          <Skeleton className="h-3 w-44" />
          <Skeleton className="h-2.5 w-56" />
          <Skeleton className="h-2.5 w-20" />
        </div>
      ))}
    </div>
  )
}
