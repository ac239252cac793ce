import { Suspense } from 'react'
import type { NotificationSettings } from '#shared/lifecycle/notifications/notifications.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { Loader } from '../../../platform/ui/states/loader.tsx'
import { PushSetting } from '../../notifications/notifications.tsx'
import { Setting } from '../setting.tsx'
import { SwitchTable } from './switch-table.tsx'
import { TimeField } from './time-field.tsx'
import { useChangeSettings, useSettings } from './use-settings.ts'

/** Times that are proposed first: the daily mail, and the quiet hours. */
const DIGEST_AT = 18 * 60
const QUIET = { from: 19 * 60, until: 7 * 60 + 30 }

/** Settings for notifications: events, channels and times. */
export function NotificationsTab() {
  const { t } = useTranslation('notifications')
  const { data, isError } = useSettings()
  if (isError && !data) return <Callout tone="danger">{t('failed')}</Callout>
  return data ? <Settings settings={data} /> : <Loader text={t('common:loading')} />
}

type Props = { settings: NotificationSettings }

function Settings({ settings }: Props) {
  const { t } = useTranslation('notifications')
  const { mutate, isError } = useChangeSettings()
  const { can_mail, only_away, shows_content, company_shows_content } = settings
  return (
    <div>
      {isError && (
        <Callout tone="danger" className="mb-4">
          {t('page.not_saved')}
        </Callout>
      )}
      <Setting title={t('page.what')} reason={t('page.what_reason')}>
        <SwitchTable
          settings={settings}
          onChange={(kind, channel, is_on) => mutate({ switches: [{ kind, channel, is_on }] })}
        />
        {!can_mail && <p className="mt-2 text-12 text-ink-3">{t('page.no_mail')}</p>}
      </Setting>
      <Setting title={t('push.title')} reason={t('push.reason')}>
        <Suspense fallback={<div className="h-9" />}>
          <PushSetting />
        </Suspense>
      </Setting>
      <Setting title={t('page.when')} reason={t('page.when_reason')}>
        <div className="grid gap-3">
          <Switch
            label={t('page.only_away')}
            checked={only_away}
            onCheckedChange={(is) => mutate({ only_away: is })}
          />
          <Digest settings={settings} />
        </div>
      </Setting>
      <Setting title={t('page.quiet')} reason={t('page.quiet_reason')}>
        <QuietHours settings={settings} />
      </Setting>
      <Setting title={t('page.content')} reason={t('page.content_reason')}>
        <Switch
          label={t('page.shows_content')}
          checked={shows_content || company_shows_content}
          disabled={company_shows_content}
          onCheckedChange={(is) => mutate({ shows_content: is })}
        />
        {company_shows_content && <p className="mt-1 text-12 text-ink-3">{t('page.company_shows')}</p>}
      </Setting>
    </div>
  )
}

/** The time zone of this browser goes with every time that is chosen. */
const here = () => ({ time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone })

function Digest({ settings: { digest_at } }: Props) {
  const { t } = useTranslation('notifications')
  const { mutate } = useChangeSettings()
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3">
      <Switch
        label={t('page.digest')}
        checked={digest_at !== null}
        onCheckedChange={(is) => mutate({ digest_at: is ? DIGEST_AT : null, ...here() })}
      />
      {digest_at !== null && (
        <TimeField
          name={t('page.digest_at')}
          minute={digest_at}
          onChange={(minute) => mutate({ digest_at: minute, ...here() })}
        />
      )}
    </div>
  )
}

function QuietHours({ settings: { quiet, quiet_weekends, time_zone } }: Props) {
  const { t } = useTranslation('notifications')
  const { mutate } = useChangeSettings()
  return (
    <div className="grid gap-3">
      <div className="flex min-h-9 flex-wrap items-center gap-3">
        <Switch
          label={t('page.quiet')}
          checked={quiet !== null}
          onCheckedChange={(is) => mutate({ quiet: is ? QUIET : null, ...here() })}
        />
        {quiet && (
          <span className="flex items-center gap-2">
            <TimeField
              name={t('page.from')}
              minute={quiet.from}
              onChange={(from) => mutate({ quiet: { ...quiet, from }, ...here() })}
            />
            <span className="text-13 text-ink-2">{t('page.to')}</span>
            <TimeField
              name={t('page.until')}
              minute={quiet.until}
              onChange={(until) => mutate({ quiet: { ...quiet, until }, ...here() })}
            />
          </span>
        )}
      </div>
      <Switch
        label={t('page.weekends')}
        checked={quiet_weekends}
        onCheckedChange={(is) => mutate({ quiet_weekends: is, ...here() })}
      />
      {(quiet || quiet_weekends) && (
        <p className="text-12 text-ink-3">{t('page.zone', { zone: time_zone.replaceAll('_', ' ') })}</p>
      )}
    </div>
  )
}
