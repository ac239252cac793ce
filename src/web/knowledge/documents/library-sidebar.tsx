import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { CircleX, Clock, Files, LoaderCircle, MessagesSquare, Star, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useLayout } from '../../platform/lib/layout.ts'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { FillBar } from '../../platform/ui/files/file-tile.tsx'
import { recentSince } from './library/filter-choices.ts'
import { useLibraryState } from './library/use-library.ts'
import { WorkspaceTree } from './library/workspace-tree.tsx'
import './library/tree.css'

/** Filters that a sidebar entry may set. */
const narrowings = ['starred', 'status', 'from', 'from_chats']

/** The left sidebar of the library; `history` replaces it while chats are searched. */
export function LibrarySidebar({ history }: { history: ReactNode }) {
  const requests = useLayout((state) => state.searchRequests)
  const [seen] = useState(requests)
  return requests > seen ? history : <LibraryTree />
}

function LibraryTree() {
  const { t } = useTranslation('documents')
  const { data: state } = useLibraryState()
  const counts = state?.counts
  const atWork = counts && counts.queued + counts.in_progress
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="tree">
        <h2 className="tree-head">{t('sidebar.library')}</h2>
        <Entry icon={<Files aria-hidden className="icon" />} count={counts?.total} search={{}}>
          {t('title')}
        </Entry>
        <Entry
          icon={<Star aria-hidden className="icon" />}
          count={counts?.starred}
          search={{ starred: 'true' }}
        >
          {t('filter.starred')}
        </Entry>
        <Entry icon={<Clock aria-hidden className="icon" />} search={{ from: recentSince() }}>
          {t('sidebar.recent')}
        </Entry>
        <Entry
          icon={<MessagesSquare aria-hidden className="icon" />}
          count={counts?.from_chats}
          search={{ from_chats: 'true' }}
        >
          {t('sidebar.from_chats')}
        </Entry>
        {Boolean(atWork) && (
          <Entry
            icon={<LoaderCircle aria-hidden className="icon" />}
            count={atWork}
            search={{ status: 'in_progress' }}
          >
            {t('sidebar.at_work')}
          </Entry>
        )}
        {Boolean(counts?.failed) && (
          <Entry
            icon={<CircleX aria-hidden className="icon" />}
            count={counts?.failed}
            search={{ status: 'failed' }}
          >
            {t('status.failed')}
          </Entry>
        )}
        <Link to="/trash" className="tree-row">
          <Trash2 aria-hidden className="icon" />
          <span className="min-w-0 flex-1 truncate">{t('sidebar.trash')}</span>
        </Link>
      </div>
      <WorkspaceTree />
      {state && <Storage used={state.storage.used} limit={state.storage.limit} />}
    </div>
  )
}

type EntryProps = {
  icon: ReactNode
  count?: number | undefined
  search: Record<string, string>
  children: string
}

function Entry({ icon, count, search, children }: EntryProps) {
  const isLibrary = useLocation({ select: ({ pathname }) => pathname === '/documents' })
  const given = useSearch({ strict: false }) as Record<string, unknown>
  const narrowed = narrowings.filter((name) => given[name])
  const isOn =
    isLibrary &&
    narrowed.length === Object.keys(search).length &&
    Object.entries(search).every(([name, value]) => given[name] === value)
  return (
    <Link
      to="/documents"
      search={search as never}
      activeOptions={{ exact: true }}
      aria-current={isOn ? 'page' : undefined}
      className="tree-row"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {count !== undefined && <span className="tree-count">{formatNumber(count)}</span>}
    </Link>
  )
}

function Storage({ used, limit }: { used: number; limit: number | null }) {
  const { t } = useTranslation('documents')
  const share = limit ? Math.min(100, (used / limit) * 100) : 0
  return (
    <div className="tree-storage" data-full={share >= 100 || undefined}>
      <p className="num flex justify-between gap-2 text-12">
        <span>{t('sidebar.stored', { size: sizeText(t, used) })}</span>
        {limit !== null && <span className="text-ink-3">{sizeText(t, limit)}</span>}
      </p>
      {limit !== null && <FillBar value={share} className="mt-1" />}
    </div>
  )
}
