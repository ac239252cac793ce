import {
  BookMarked,
  Bot,
  CornerDownLeft,
  FileText,
  FolderKanban,
  Keyboard,
  MessageSquare,
  MousePointerClick,
  PanelLeft,
  Search,
  SquarePen,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { noteUse, type PaletteItem, type PaletteKind } from '#shared/chat/palette/palette.ts'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { readCommands } from '../../../platform/commands/read-commands.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import {
  requestSearch,
  setHelpOpen,
  setSheetOpen,
  setSidebarOpen,
  useLayout,
} from '../../../platform/lib/layout.ts'
import { isOpenTo } from '../../../platform/lib/me/me.ts'
import { keysOf } from '../../../platform/lib/me/shortcuts.ts'
import { PHONE } from '../../../platform/lib/page-state.ts'
import { Kbd, shortcutLabel } from '../../../platform/ui/kbd.tsx'
import type { EntryGroup, PaletteEntry, PaletteGroup } from './entry.ts'
import { filterEntries, groupEntries } from './match.ts'
import { placesOf } from './places.tsx'
import { readScreenActions } from './screen-actions.ts'
import { useFound } from './use-found.ts'
import type { ProjectFilter } from './use-project-filter.ts'

type Options = { me: User; typed: string; onNewChat: () => void; filter: ProjectFilter }

const icons: Record<PaletteKind, typeof Bot> = {
  session: MessageSquare,
  workspace: FolderKanban,
  document: FileText,
  assistant: Bot,
  prompt: BookMarked,
}
const addresses: Record<PaletteKind, string> = {
  session: '/chat/',
  workspace: '/project/',
  document: '/documents/preview/',
  assistant: '/assistant/',
  prompt: '/prompts/',
}

/** Maximum actions when only actions are listed. */
const MAX_ACTIONS = 60

/** Scope chosen by the first character: `>` actions, `@` assistants, otherwise everything. */
function readMode(typed: string): {
  words: string
  kinds: readonly PaletteKind[] | null
  local: 'all' | 'actions' | 'none'
} {
  const words = typed.trim()
  if (words.startsWith('>')) return { words: words.slice(1).trim(), kinds: null, local: 'actions' }
  if (words.startsWith('@')) return { words: words.slice(1).trim(), kinds: ['assistant'], local: 'none' }
  return { words, kinds: allKinds, local: 'all' }
}
const allKinds = Object.keys(icons) as PaletteKind[]

/** The entries for the typed words: those of the server and those of the browser, shown together. */
export function useEntries({ me, typed, onNewChat, filter }: Options): {
  groups: EntryGroup[]
  /** The typed words that the groups belong to; null before the first answer. */
  shownFor: string | null
  /** Records the use of an entry. */
  note: (entry: PaletteEntry) => void
} {
  const { t } = useTranslation('palette')
  const mode = readMode(typed)
  const projectId = filter.project?.id ?? null
  const { found } = useFound(mode.words, mode.kinds, projectId)
  const places = useMemo(() => placesOf(me, t), [me, t])
  const screenActions = useActions(t, onNewChat)
  const { offered, choose } = filter
  // biome-ignore lint/correctness/useExhaustiveDependencies: both objects are new with each rendering.
  const actions = useMemo(
    () => (offered ? [onlyEntry(offered, choose, t), ...screenActions] : screenActions),
    [offered?.id, offered?.name, screenActions, t],
  )
  const words = found?.typed ?? null
  const groups = useMemo(() => {
    // Both come together, so that nothing moves.
    if (words === null) return []
    const shown = (found?.items ?? []).filter(({ kind }) => isKindShown(me, kind))
    const items = shown.map((item) => itemEntry(item, words === '' ? 'recent' : item.kind, t))
    const local =
      mode.local === 'none'
        ? []
        : mode.local === 'actions'
          ? actions
          : projectId
            ? []
            : [...places, ...actions]
    const isEmpty = words === '' && mode.local === 'all'
    const own = isEmpty ? (projectId ? [] : actions) : filterEntries(local, words)
    const more = words !== '' && mode.local === 'all' ? searchEntries(words, projectId, t) : []
    const recent = items.toSorted((a, b) =>
      words === '' ? (b.usedAt ?? '').localeCompare(a.usedAt ?? '') : 0,
    )
    return groupEntries(
      [...recent, ...own, ...more],
      words,
      mode.local === 'actions' ? MAX_ACTIONS : undefined,
    )
  }, [me, found, words, mode.local, places, actions, projectId, t])
  const isCurrent = words === mode.words
  return {
    groups,
    shownFor: isCurrent ? typed.trim() : words,
    note: ({ item }: PaletteEntry) => {
      if (item && item.kind !== 'session')
        void call(noteUse, { body: item, quiet: true }).catch(() => undefined)
    },
  }
}

/** Assistants and prompts open on their pages, which may be hidden. */
function isKindShown(me: User, kind: PaletteKind): boolean {
  return kind === 'assistant' ? isOpenTo(me, 'assistant') : kind !== 'prompt' || isOpenTo(me, 'prompts')
}

function itemEntry(item: PaletteItem, group: PaletteGroup, t: TFunction): PaletteEntry {
  const { kind, id, title, detail, is_archived, used_at } = item
  const Icon = icons[kind]
  return {
    ...{
      id: `${kind} ${id}`,
      group,
      title,
      href: `${addresses[kind]}${id}`,
      item: { kind, id },
      usedAt: used_at,
    },
    detail: is_archived ? t('archived') : (detail ?? (kind === 'session' ? formatDate(used_at) : null)),
    icon: <Icon aria-hidden className="icon" />,
  }
}

/** Limits the palette to the project of the page. */
function onlyEntry(
  { id, name }: NonNullable<ProjectFilter['offered']>,
  choose: ProjectFilter['choose'],
  t: TFunction,
): PaletteEntry {
  return {
    ...{ id: 'only-project', group: 'action', title: t('only_project', { name }), staysOpen: true },
    icon: <FolderKanban aria-hidden className="icon" />,
    run: () => choose(id),
  }
}

function searchEntries(words: string, projectId: string | null, t: TFunction): PaletteEntry[] {
  const query = new URLSearchParams({ q: words, ...(projectId && { project: projectId }) })
  const everything: PaletteEntry = {
    ...{ id: 'everything', group: 'message', title: t('search_everything', { words }) },
    href: `/search?${query}`,
    icon: <Search aria-hidden className="icon" />,
  }
  return projectId ? [everything] : [searchEntry(words, t), everything]
}

function searchEntry(words: string, t: TFunction): PaletteEntry {
  return {
    ...{ id: 'search', group: 'message', title: t('search_messages', { words }) },
    icon: <Search aria-hidden className="icon" />,
    run: () => {
      if (matchMedia(PHONE).matches) setSheetOpen(true)
      else setSidebarOpen(true)
      requestSearch(words)
    },
  }
}

/** The actions of the current screen, read when the palette opens, and those of every screen. */
function useActions(t: TFunction, onNewChat: () => void): PaletteEntry[] {
  const [screen] = useState(() => readScreenActions(document.querySelector('.view-area') ?? document.body))
  const [offered, setOffered] = useState<Awaited<ReturnType<typeof readCommands>>>([])
  useEffect(() => {
    let isGone = false
    void readCommands().then((list) => !isGone && setOffered(list))
    return () => {
      isGone = true
    }
  }, [])
  return useMemo(() => {
    const action = (
      title: string,
      icon: PaletteEntry['icon'],
      run: () => void,
      keys?: string,
    ): PaletteEntry => ({
      ...{ id: `action ${title}`, group: 'action', title, icon, run },
      ...(keys && { keys: <Kbd>{shortcutLabel(keys)}</Kbd> }),
    })
    const named = offered.flatMap(({ label, icon, onSelect }) =>
      typeof label === 'string' && onSelect
        ? action(label, icon ?? <CornerDownLeft aria-hidden className="icon" />, onSelect)
        : [],
    )
    const isSidebarOpen = useLayout.getState().isSidebarOpen
    const all = [
      action(
        t('common:nav.new_chat'),
        <SquarePen aria-hidden className="icon" />,
        onNewChat,
        keysOf('new_chat'),
      ),
      ...screen.map(({ name, run }) => action(name, <MousePointerClick aria-hidden className="icon" />, run)),
      ...named,
      action(
        t(`common:nav.${isSidebarOpen ? 'collapse' : 'expand'}`),
        <PanelLeft aria-hidden className="icon" />,
        () => setSidebarOpen(!isSidebarOpen),
        keysOf('sidebar'),
      ),
      action(
        t('common:shortcuts.title'),
        <Keyboard aria-hidden className="icon" />,
        () => setHelpOpen(true),
        keysOf('sheet'),
      ),
    ]
    return all.filter((one, place) => all.findIndex(({ title }) => title === one.title) === place)
  }, [t, onNewChat, screen, offered])
}
