import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock } from 'lucide-react'
import { getMailSettings, type SetupProgress, type SetupStep } from '#shared/lifecycle/setup/setup.ts'
import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { availableModels } from '../../../platform/lib/models/available-models.ts'
import { signUpRules } from '../joining/sign-up-settings.tsx'
import { mailKey } from './use-mail-form.ts'
import { steps } from './use-setup.ts'

const ways = [
  { key: 'people', to: '/admin?page=users' },
  { key: 'documents', to: '/documents' },
  { key: 'models', to: '/admin/models' },
] as const

type ReadyStepProps = { progress: SetupProgress; onLeave: (to: string) => void }

/** Summary of completed and postponed steps, with links to the next pages. */
export function ReadyStep({ progress, onLeave }: ReadyStepProps) {
  const { t } = useTranslation('setup')
  const said = useStanding()
  return (
    <>
      <ul className="setup-list">
        {steps.map((step) => {
          const isDone = progress[step] === 'done'
          const Icon = isDone ? CircleCheck : Clock
          return (
            <li key={step} className="setup-row">
              <Icon
                role="img"
                aria-label={t(isDone ? 'outcome.done' : 'outcome.later')}
                className={isDone ? 'icon text-success' : 'icon text-ink-3'}
              />
              <span className="setup-about">{t(`steps.${step}.name`)}</span>
              <span className="setup-found">{said[step]}</span>
            </li>
          )
        })}
      </ul>
      <div className="setup-ways">
        {ways.map(({ key, to }) => (
          <button key={key} type="button" className="hover-motion" onClick={() => onLeave(to)}>
            <span className="text-13 font-medium">{t(`ready.way.${key}.name`)}</span>
            <span className="text-12 text-ink-3">{t(`ready.way.${key}.about`)}</span>
          </button>
        ))}
      </div>
    </>
  )
}

/** Returns the status of each step as text; empty while unknown. */
function useStanding(): Record<SetupStep, string> {
  const { t } = useTranslation('setup')
  const models = useQuery(availableModels).data
  const mail = useQuery({
    queryKey: mailKey,
    queryFn: ({ signal }) => call(getMailSettings, { signal }),
  }).data
  const rules = useQuery(signUpRules).data
  const connected = models?.filter(({ id }) => id !== BUILT_IN_MODEL)
  const main = models?.find(({ is_default }) => is_default)
  return {
    model:
      connected === undefined
        ? ''
        : connected.length === 0
          ? t('ready.model_built_in')
          : t('ready.model', { count: connected.length, name: main?.name ?? '' }),
    mail: mail ? (mail.source === 'none' ? t('ready.mail_none') : t('ready.mail', mail)) : '',
    address: location.origin,
    sign_up: rules ? t(`sign_up.stranger.${rules.policy}`, { domains: rules.domains.join(', ') }) : '',
  }
}
