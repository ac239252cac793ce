import clsx from 'clsx'
import { Menu } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { setSheetOpen, useLayout } from '../lib/layout.ts'
import { IconButton } from './icon-button.tsx'

// Always loaded, before the connection is lost.
const OfflineBanner = lazy(() =>
  import('./states/offline-banner.tsx').then((file) => ({ default: file.OfflineBanner })),
)

export type ViewProps = {
  /** The name of the view: heading, page title, and focus target after navigation. */
  title: string
  /** Renders the title in the heading, for example as a field that changes it. */
  heading?: ReactNode
  /** Badges right of the heading. */
  badges?: ReactNode
  /** Controls at the right end of the top bar. */
  actions?: ReactNode
  /** A panel right of the view, with its own landmark. */
  panel?: ReactNode
  children: ReactNode
}

/** One view of the shell: the top bar with the heading, the content as `main`, and an optional right panel. */
export function View({ title, heading, badges, actions, panel, children }: ViewProps) {
  return (
    <>
      <main id="main" tabIndex={-1} className="relative flex min-w-0 flex-1 flex-col bg-bg print:block">
        <TopBar title={title} heading={heading} badges={badges} actions={actions} />
        <Suspense>
          <OfflineBanner />
        </Suspense>
        {children}
      </main>
      {panel}
    </>
  )
}

function TopBar({ title, heading, badges, actions }: Omit<ViewProps, 'children' | 'panel'>) {
  const { t } = useTranslation('common')
  const slot = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t('app_name')}`
  }, [title, t])
  // Before the first paint, so that what the shell puts there moves nothing.
  useLayoutEffect(() => {
    useLayout.setState({ topBarSlot: slot.current })
    return () => useLayout.setState({ topBarSlot: null })
  }, [])
  return (
    <header className="flex h-13 flex-none items-center gap-2 border-b border-line pr-3 pl-5 max-md:px-1">
      <IconButton
        name={t('nav.open_menu')}
        className="md:hidden print:hidden"
        onClick={() => setSheetOpen(true)}
      >
        <Menu aria-hidden className="icon-20" />
      </IconButton>
      <h1
        data-view-title
        tabIndex={-1}
        // The field that changes it has its own margin around the text.
        className={clsx(
          'text-14 font-semibold md:truncate max-md:line-clamp-2 max-md:min-w-0 max-md:text-13 max-md:leading-4',
          heading && '-mx-1.5',
        )}
      >
        {heading ?? title}
      </h1>
      <div className="contents print:hidden">
        {badges && (
          // Badges that do not fit wrap into a hidden line, so that the title is the last to be cut.
          <div className="flex h-7 min-w-0 shrink-1000 flex-wrap items-center gap-x-2 overflow-hidden">
            <span aria-hidden className="-mr-2 h-7 w-0" />
            {badges}
          </div>
        )}
        <span className="flex-1" />
        <span ref={slot} className="contents" />
        {actions}
      </div>
    </header>
  )
}
