import { useLocation, useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { LogOut } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { BillingTab } from '../../money/billing/billing.tsx'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen, useMe } from '../../platform/lib/me/me.ts'
import { signOut } from '../../platform/lib/me/sign-out.ts'
import { useStaysOpen } from '../../platform/lib/me/stays-open.ts'
import { Button } from '../../platform/ui/button.tsx'
import { ClosedPart } from '../../platform/ui/closed-part.tsx'
import { Loader } from '../../platform/ui/states/loader.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { View } from '../../platform/ui/view.tsx'
import { tabOf, userTabNames } from './preferences-draft.ts'
import { PreferencesTab } from './preferences-tab.tsx'
import { SecurityTab } from './security-tab.tsx'
import { useKeptEdits } from './use-kept-edits.ts'

const ApiKeysTab = lazy(async () => {
  const [file] = await Promise.all([import('../../identity/api-keys/api-keys.tsx'), loadTexts('programs')])
  return { default: file.ApiKeysTab }
})

const Webhooks = lazy(async () => {
  const [file] = await Promise.all([import('../../api/webhooks/webhooks.tsx'), loadTexts('programs')])
  return { default: file.Webhooks }
})

const NotificationsTab = lazy(async () => {
  const [file] = await Promise.all([import('./told/notifications-tab.tsx'), loadTexts('notifications')])
  return { default: file.NotificationsTab }
})

const AccountsTab = lazy(async () => {
  const [file] = await Promise.all([
    import('../../tools/personal-accounts/personal-accounts.tsx'),
    loadTexts('actions', 'tool_ui'),
  ])
  return { default: file.PersonalAccounts }
})

const DataTab = lazy(async () => {
  const [file] = await Promise.all([import('./data-tab.tsx'), loadTexts('exports', 'documents', 'erasure')])
  return file
})

/** The signed-in person: preferences, security, keys, billing and data, each with its own address. */
export function UserView() {
  const { t } = useTranslation('common')
  const user = useMe()
  return (
    <View
      title={user ? user.full_name?.trim() || user.username : t('user.title')}
      badges={user && <span className="truncate text-13 text-ink-3 max-md:hidden">{user.email}</span>}
      actions={
        <Button variant="ghost" icon={<LogOut aria-hidden className="icon" />} onClick={() => void signOut()}>
          <span className="max-md:sr-only">{t('user.log_out')}</span>
        </Button>
      }
    >
      {user ? <UserTabs key={user.id} user={user} /> : <Loader text={t('loading')} />}
    </View>
  )
}

function KeysTab({ user }: { user: User }) {
  const [hasKeys, hasWebhooks] = [useStaysOpen('api_keys'), useStaysOpen('webhooks')]
  return (
    <div className="in-order flex flex-col gap-8">
      {hasKeys && <ApiKeysTab />}
      {hasWebhooks && <Webhooks />}
      {!hasKeys && !hasWebhooks && (
        <ClosedPart isHidden={user.hidden_controls?.includes('api_keys') ?? false} />
      )}
    </div>
  )
}

function UserTabs({ user }: { user: User }) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const tab = useLocation({ select: ({ pathname }) => tabOf(pathname) })
  const [edits, setEdits] = useKeptEdits(user)
  const [mayKeys, mayWebhooks] = [useIsOpen('api_keys'), useIsOpen('webhooks')]
  // A closed feature shows its tab only while it is open: its address was typed, or it has just been closed.
  const names = userTabNames.filter((name) => name !== 'keys' || mayKeys || mayWebhooks || tab === 'keys')
  const content = {
    preferences: <PreferencesTab user={user} edits={edits} onEdits={setEdits} />,
    security: <SecurityTab />,
    notifications: (
      <Suspense fallback={<Loader text={t('loading')} />}>
        <NotificationsTab />
      </Suspense>
    ),
    accounts: (
      <Suspense fallback={<Loader text={t('loading')} />}>
        <AccountsTab />
      </Suspense>
    ),
    keys: (
      <Suspense fallback={<Loader text={t('loading')} />}>
        <KeysTab user={user} />
      </Suspense>
    ),
    billing: <BillingTab user={user} />,
    data: (
      <Suspense>
        <DataTab />
      </Suspense>
    ),
  }
  return (
    <Tabs
      name={t('user.tabs.label')}
      value={tab}
      onValueChange={(value) => void navigate({ to: `/user/${value}` })}
      className="flex min-h-0 flex-1 flex-col [&>[role=tablist]]:flex-none [&>[role=tablist]]:px-8 max-md:[&>[role=tablist]]:px-4 [&>[role=tabpanel]]:min-h-0 [&>[role=tabpanel]]:flex-1 [&>[role=tabpanel]]:overflow-y-auto"
      tabs={names.map((value) => ({
        value,
        label: t(`user.tabs.${value}`),
        content: (
          <div
            className={clsx(
              'in-order mx-auto max-w-[calc(var(--w-breakout)+4rem)] px-8 pt-6 max-md:px-4',
              'pb-24',
            )}
          >
            {content[value]}
          </div>
        ),
      }))}
    />
  )
}
