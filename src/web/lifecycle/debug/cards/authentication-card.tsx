import { Settings2 } from 'lucide-react'
import { useId, useState } from 'react'
import { getMe, type User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { writeStreamCookie } from '../../../platform/lib/me/token.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { authModes, type ChangeSettings, type DebugSettings } from '../events/settings.ts'
import { CheckResult } from './auth-check.tsx'
import { TokenField, UrlField } from './auth-settings.tsx'
import { DebugCard } from './debug-card.tsx'

type Props = { settings: DebugSettings; change: ChangeSettings }

/** Selects the token, and how event streams send it. */
export function AuthenticationCard({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(true)
  const id = useId()
  const check = useAction(() => checkToken(settings.token))
  const failed = isApiError(check.error) && check.error.status > 0 ? check.error.status : null
  return (
    <DebugCard
      title={t('debug.authentication')}
      aside={
        <IconButton
          name={t('debug.auth_settings')}
          size="xs"
          on={isOpen}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Settings2 aria-hidden className="icon" />
        </IconButton>
      }
    >
      <div className="flex gap-2">
        <TokenField settings={settings} change={change} />
        <Button className="mt-6" busy={check.isPending} onClick={() => void check.run()}>
          {t('debug.check_auth')}
        </Button>
      </div>
      {check.data && <CheckResult isGood>{t('debug.valid', { role: roleOf(check.data) })}</CheckResult>}
      {check.error !== null && (
        <CheckResult isGood={false}>
          {failed ? t('debug.not_valid_status', { status: failed }) : t('debug.not_valid')}
        </CheckResult>
      )}
      <div id={id} hidden={!isOpen}>
        <div className="grid gap-3">
          <ModeChoice settings={settings} change={change} />
          {settings.authMode === 'url' && <UrlField settings={settings} change={change} />}
          <SseCookie token={settings.token} />
        </div>
      </div>
    </DebugCard>
  )
}

function ModeChoice({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  const group = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">{t('debug.streams_use')}</legend>
      <div className="flex h-8 rounded-control bg-surface-2 p-0.5 max-md:h-11">
        {authModes.map((mode) => (
          <label
            key={mode}
            className="relative grid flex-1 cursor-pointer place-items-center rounded-tag border border-transparent text-13 font-medium text-ink-2 has-checked:border-line-2 has-checked:bg-raised has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={group}
              checked={settings.authMode === mode}
              onChange={() => change({ authMode: mode })}
              className="absolute inset-0 m-0 cursor-pointer appearance-none outline-none"
            />
            {t(`debug.mode.${mode}`)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function SseCookie({ token }: { token: string }) {
  const { t } = useTranslation('admin')
  const [isWritten, setWritten] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Button
        size="sm"
        disabled={token === ''}
        onClick={() => {
          writeStreamCookie(token)
          setWritten(true)
        }}
      >
        {t('debug.create_cookie')}
      </Button>
      {isWritten ? (
        <CheckResult isGood>{t('debug.cookie_written')}</CheckResult>
      ) : (
        <span className="text-12 text-ink-3">{t('debug.cookie_terms')}</span>
      )}
    </div>
  )
}

async function checkToken(token: string): Promise<User> {
  try {
    return await call(getMe, { quiet: true, headers: { authorization: `Bearer ${token}` } })
  } catch (error) {
    console.error('Authentication failed', error)
    throw error
  }
}

/** Returns the user's highest role in any company. */
function roleOf(user: User): string {
  const names = user.company_affiliations.map(({ role }) => role.name)
  return (['super_admin', 'company_admin'] as const).find((name) => names.includes(name)) ?? 'member'
}
