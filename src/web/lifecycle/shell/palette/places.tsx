import {
  Bookmark,
  Inbox,
  type LucideIcon,
  Search,
  Server,
  Settings,
  SlidersHorizontal,
  User as UserIcon,
} from 'lucide-react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'
import { isOpenTo } from '../../../platform/lib/me/me.ts'
import { isAdmin, isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { adminPages } from '../../administration/administration.ts'
import { entriesFor } from '../nav.ts'
import { userTabs } from '../view-names.ts'
import type { PaletteEntry } from './entry.ts'

/** Settings by the tab they are on. Their titles are those of the account page. */
const settings = {
  preferences: ['picture', 'name', 'email', 'language', 'theme', 'width', 'memory', 'mails', 'bio', 'style'],
  security: ['password', 'two_step', 'passkeys', 'devices', 'accesses', 'connections'],
} as const

/** Returns the pages and settings that a person may open. */
export function placesOf(me: User, t: TFunction): PaletteEntry[] {
  const page = (title: string, href: string, Icon: LucideIcon, words = ''): PaletteEntry => ({
    ...{ id: `page ${href}`, group: 'page', title, href, words, icon: <Icon aria-hidden className="icon" /> },
  })
  const tabs = userTabs.filter(
    (tab) => tab !== 'keys' || isOpenTo(me, 'api_keys') || isOpenTo(me, 'webhooks'),
  )
  return [
    ...entriesFor(me).map(({ view, path, icon }) => page(t(`common:nav.${view}`), path, icon)),
    page(t('common:nav.inbox'), '/inbox', Inbox),
    ...(isOpenTo(me, 'memory') ? [page(t('common:profile.memory'), '/memory', Bookmark)] : []),
    page(t('palette:pages.search'), '/search', Search),
    ...(isOpenTo(me, 'mcp_servers') ? [page(t('palette:pages.servers'), '/tools/servers', Server)] : []),
    ...tabs.map((tab) =>
      page(t(`common:user.tabs.${tab}`), `/user/${tab}`, UserIcon, t('common:profile.view')),
    ),
    ...(isSuperAdmin(me)
      ? [
          page(t('common:profile.models'), '/admin/models', SlidersHorizontal, t('common:nav.admin')),
          page(t('admin:administration.setup'), '/setup', SlidersHorizontal, t('common:nav.admin')),
        ]
      : []),
    ...(isAdmin(me)
      ? adminPages(isSuperAdmin(me)).map((name) =>
          page(
            t(`admin:administration.page.${name}`),
            `/admin?page=${name}`,
            SlidersHorizontal,
            t('common:nav.admin'),
          ),
        )
      : []),
    ...Object.entries(settings).flatMap(([tab, names]) => names.map((name) => settingEntry(tab, name, t))),
  ]
}

function settingEntry(tab: string, name: string, t: TFunction): PaletteEntry {
  const title = t(`common:user.${name}.title`)
  return {
    ...{ id: `setting ${name}`, group: 'setting', title, href: `/user/${tab}` },
    words: t(`common:user.${name}.reason`, { count: 10 }),
    detail: t(`common:user.tabs.${tab}`),
    icon: <Settings aria-hidden className="icon" />,
  }
}

const REVEAL_MS = 5_000

/** Scrolls to a setting and focuses its heading, once its page shows it. */
export function revealSetting(title: string): void {
  const end = performance.now() + REVEAL_MS
  const timer = setInterval(() => {
    const headings = document.querySelectorAll<HTMLElement>('#main h2')
    const heading = [...headings].find((one) => one.textContent === title)
    if (!heading && performance.now() < end) return
    clearInterval(timer)
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({ block: 'center' })
  }, 50)
}
