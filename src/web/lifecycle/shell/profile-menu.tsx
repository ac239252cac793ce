import { useNavigate } from '@tanstack/react-router'
import {
  Bookmark,
  ChevronsUpDown,
  Cpu,
  Keyboard,
  Languages,
  LogOut,
  Moon,
  Sun,
  User as UserIcon,
} from 'lucide-react'
import { type User, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { useCommands } from '../../platform/commands/commands.ts'
import { chooseLanguage, currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { languageNames, languages } from '../../platform/i18n/language.ts'
import { call } from '../../platform/lib/api/call.ts'
import { setHelpOpen, setSheetOpen } from '../../platform/lib/layout.ts'
import { isOpenTo, refetchMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { setDark, useDark } from '../../platform/lib/theme.ts'
import { Avatar } from '../../platform/ui/avatar.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../platform/ui/overlays/menu-entry.ts'

/** Menu of the signed-in user. */
export function ProfileMenu({ me, isRail = false }: { me: User; isRail?: boolean }) {
  const { t } = useTranslation('common')
  const entries = useEntries(me)
  useCommands(() => entries)
  const name = me.full_name || me.username
  const trigger = isRail ? (
    <button type="button" aria-label={t('profile.menu')} data-tip={name} className="rounded-pill">
      <Avatar name={name} pictureId={me.picture_id} />
    </button>
  ) : (
    <button
      type="button"
      className="flex h-14 w-full items-center gap-2.5 pr-4.5 pl-4 text-start hover-motion hover:bg-surface-2 aria-expanded:bg-surface-2"
    >
      <Avatar name={name} pictureId={me.picture_id} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13 leading-[17px] font-medium">{name}</span>
        <span className="block truncate text-12 text-ink-3">
          {me.company_affiliations[0]?.company.name ?? me.email}
        </span>
      </span>
      <span className="sr-only">{t('profile.menu')}</span>
      <ChevronsUpDown aria-hidden className="icon flex-none text-ink-2" />
    </button>
  )
  const menu = (
    <Menu trigger={trigger} entries={entries} side="top" align={isRail ? 'start' : 'end'} className="w-64" />
  )
  if (isRail) return menu
  return (
    <div data-tour="profile" className="min-w-0 flex-1">
      {menu}
    </div>
  )
}

function useEntries(me: User): MenuEntry[] {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const isDark = useDark()
  const saveLanguage = async (language: Language) => {
    await chooseLanguage(language)
    // The page already uses the language; the stored one is refetched below.
    await call(updatePreferences, { body: { language } }).catch(() => undefined)
    await refetchMe()
  }
  const Theme = isDark ? Sun : Moon
  return [
    {
      label: t('profile.view'),
      icon: <UserIcon aria-hidden />,
      onSelect: () => void navigate({ to: '/user' }),
    },
    ...(isOpenTo(me, 'memory')
      ? [
          {
            label: t('profile.memory'),
            icon: <Bookmark aria-hidden />,
            onSelect: () => void navigate({ to: '/memory' }),
          },
        ]
      : []),
    ...(isSuperAdmin(me)
      ? [
          {
            label: t('profile.models'),
            icon: <Cpu aria-hidden />,
            onSelect: () => void navigate({ to: '/admin/models' }),
          },
        ]
      : []),
    {
      label: t('shortcuts.title'),
      icon: <Keyboard aria-hidden />,
      onSelect: () => {
        setSheetOpen(false)
        setHelpOpen(true)
      },
    },
    { kind: 'separator' },
    {
      label: t(isDark ? 'theme.to_light' : 'theme.to_dark'),
      icon: <Theme aria-hidden />,
      onSelect: () => setDark(!isDark),
    },
    ...languages.map((language) => ({
      key: language,
      label: languageNames[language],
      icon: <Languages aria-hidden />,
      checked: currentLanguage() === language,
      onSelect: () => void saveLanguage(language),
    })),
    { kind: 'separator' },
    { label: t('profile.sign_out'), icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
  ]
}
