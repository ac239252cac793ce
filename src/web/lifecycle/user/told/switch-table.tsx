import {
  type NotificationChannel,
  type NotificationKind,
  notificationChannels,
  notificationKinds,
} from '#shared/lifecycle/notifications/kinds.ts'
import type { NotificationSettings } from '#shared/lifecycle/notifications/notifications.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'

type TableProps = {
  settings: Pick<NotificationSettings, 'switches' | 'can_mail'>
  onChange: (kind: NotificationKind, channel: NotificationChannel, isOn: boolean) => void
}

/** Kinds of notifications by channel. */
export function SwitchTable({ settings: { switches, can_mail }, onChange }: TableProps) {
  const { t } = useTranslation('notifications')
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <table className="w-full text-13">
        <thead>
          <tr className="border-b border-line bg-surface text-12 text-ink-3">
            <td />
            {notificationChannels.map((channel) => (
              <th key={channel} scope="col" className="w-23 px-1 py-2 text-center font-medium max-md:w-16">
                {t(`page.channel.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationKinds.map((kind) => (
            <tr key={kind} className="border-line not-first:border-t">
              <th scope="row" className="py-2 pr-2 pl-4 text-left font-medium max-md:pl-3">
                {t(`page.kind.${kind}`)}
                {hasHint(kind) && (
                  <span className="block text-12 font-normal text-ink-3">{t(`page.hint.${kind}`)}</span>
                )}
              </th>
              {notificationChannels.map((channel) => (
                <td key={channel} className="p-0 text-center">
                  {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is inside. */}
                  <label className="inline-grid size-11 cursor-pointer place-items-center">
                    <Checkbox
                      aria-label={t('page.switch', {
                        kind: t(`page.kind.${kind}`),
                        channel: t(`page.channel.${channel}`),
                      })}
                      checked={switches[kind][channel]}
                      disabled={channel === 'mail' && !can_mail}
                      onCheckedChange={(isOn) => onChange(kind, channel, isOn)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const hints = ['question_waiting', 'reply_finished', 'budget_warning', 'item_shared'] as const
const hasHint = (kind: NotificationKind): kind is (typeof hints)[number] =>
  (hints as readonly string[]).includes(kind)
