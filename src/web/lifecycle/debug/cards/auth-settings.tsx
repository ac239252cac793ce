import { Tabs } from '@base-ui/react/tabs'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { STREAM_COOKIE } from '../../../platform/lib/me/token.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, PasswordInput } from '../../../platform/ui/input.tsx'
import { eventsUrl } from '../events/open-events.ts'
import { EXAMPLE_ID } from '../events/session-id.ts'
import {
  type AuthMode,
  authModes,
  type ChangeSettings,
  type DebugSettings,
  sessionOf,
} from '../events/settings.ts'
import { CheckResult } from './auth-check.tsx'
import { fetchSessions } from './session-list.ts'

type Props = { settings: DebugSettings; change: ChangeSettings }

/** Auth scheme of the event stream: three tabs, and a test call to the server. */
export function AuthSettings({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(true)
  const id = useId()
  const panels: Record<AuthMode, ReactNode> = {
    cookie: <CookiePanel settings={settings} change={change} />,
    token: <TokenField settings={settings} change={change} />,
    url: <UrlField settings={settings} change={change} />,
  }
  return (
    <section className="grid min-w-0 gap-3 rounded-card border border-line bg-bg px-3.5 pt-3 pb-3.5">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-6 w-full items-center gap-2 text-13 font-semibold max-md:min-h-11"
        >
          <span className="flex-1 text-left">{t('debug.auth_settings')}</span>
          <ChevronDown aria-hidden className={`icon-14 text-ink-3 ${isOpen ? 'rotate-180' : ''}`} />
        </button>
      </h2>
      <div id={id} hidden={!isOpen}>
        <Tabs.Root
          value={settings.authMode}
          onValueChange={(authMode: AuthMode) => change({ authMode })}
          className="grid gap-3"
        >
          <Tabs.List
            aria-label={t('debug.auth_settings')}
            className="flex h-8 rounded-control bg-surface-2 p-0.5 max-md:h-11"
          >
            {authModes.map((mode) => (
              <Tabs.Tab
                key={mode}
                value={mode}
                className="flex-1 rounded-tag border border-transparent text-13 font-medium text-ink-2 data-active:border-line-2 data-active:bg-raised data-active:text-ink"
              >
                {t(`debug.mode.${mode}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {authModes.map((mode) => (
            <Tabs.Panel key={mode} value={mode} tabIndex={-1} className="outline-none">
              {panels[mode]}
            </Tabs.Panel>
          ))}
        </Tabs.Root>
        <CheckStatus settings={settings} />
      </div>
    </section>
  )
}

function CookiePanel({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div className="grid gap-2">
      <Checkbox
        label={<span className="text-13">{t('debug.creates_cookie')}</span>}
        checked={settings.createsCookie}
        onCheckedChange={(createsCookie) => change({ createsCookie })}
      />
      <p className="text-12 text-ink-3">
        <code className="font-mono">{STREAM_COOKIE}</code> {t('debug.cookie_terms')}
      </p>
    </div>
  )
}

/** Token that opens streams, masked on screen. */
export function TokenField({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  return (
    <Field label={t('debug.token')} hint={t('debug.token_hint')} className="flex-1">
      <PasswordInput
        value={settings.token}
        onChange={({ target }) => change({ token: target.value })}
        autoComplete="off"
        className="font-mono md:text-12!"
      />
    </Field>
  )
}

/** Full stream URL, used instead of a session. */
export function UrlField({ settings, change }: Props) {
  const { t } = useTranslation('admin')
  return (
    <Field label={t('debug.url')} hint={t('debug.url_hint')}>
      <Input
        type="url"
        value={settings.url}
        onChange={({ target }) => change({ url: target.value })}
        placeholder={eventsUrl(sessionOf(settings) ?? EXAMPLE_ID)}
        autoComplete="off"
        spellCheck={false}
        className="font-mono md:text-12!"
      />
    </Field>
  )
}

function CheckStatus({ settings }: { settings: DebugSettings }) {
  const { t } = useTranslation('admin')
  const check = useAction(() => fetchSessions(settings.token))
  const status = check.error instanceof Error && 'status' in check.error ? check.error.status : null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2.5">
      <Button busy={check.isPending} onClick={() => void check.run()}>
        {t('debug.check_status')}
      </Button>
      {check.data && (
        <CheckResult isGood>200, {t('debug.sessions', { count: check.data.total })}</CheckResult>
      )}
      {check.error !== null && (
        <CheckResult isGood={false}>
          {status ? t('debug.not_valid_status', { status }) : t('debug.not_valid')}
        </CheckResult>
      )}
    </div>
  )
}
