import { useSearch } from '@tanstack/react-router'
import { Building2, CalendarDays, Globe, Mail, Ticket } from 'lucide-react'
import { useState } from 'react'
import {
  type AccountKind,
  type EnteredKind,
  type PersonalAccount,
  PersonalOutcome,
} from '#shared/tools/actions/personal-accounts.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { CalendarDialog, MailboxDialog } from './account-dialogs.tsx'
import { OwnPolicies } from './own-policies.tsx'
import { useDisconnect, usePersonalAccounts, useSignIn } from './use-personal-accounts.ts'

const order: readonly AccountKind[] = ['microsoft', 'google', 'imap', 'caldav', 'jira']
const icons = { microsoft: Building2, google: Globe, imap: Mail, caldav: CalendarDays, jira: Ticket }

/** The accounts of a person for mail, calendar and tickets, and what assistants may do with them. */
export function PersonalAccounts() {
  const { t } = useTranslation('actions')
  const { data, error, refetch } = usePersonalAccounts()
  const [entered, setEntered] = useState<EnteredKind | null>(null)
  const close = () => setEntered(null)
  const done = () => {
    close()
    void toast.success(t('connected'))
  }
  const Dialog = entered === 'imap' ? MailboxDialog : CalendarDialog
  return (
    <div className="grid gap-8">
      <section aria-label={t('title')} className="grid gap-3">
        <div>
          <h2 className="text-13 font-semibold">{t('title')}</h2>
          <p className="mt-1 text-13 text-ink-3">{t('reason')}</p>
        </div>
        <Outcome />
        {!data && !error && <Skeletons className="grid gap-2" sizes={['h-16', 'h-16', 'h-16']} />}
        {error && (
          <Callout
            tone="danger"
            action={
              <Button size="sm" onClick={() => void refetch()}>
                {t('common:actions.retry')}
              </Button>
            }
          >
            {errorText(t, error)}
          </Callout>
        )}
        {data && (
          <ul className="divide-y divide-line rounded-card border border-line">
            {order.flatMap((kind) => {
              const account = data.items.find((one) => one.kind === kind)
              return account ? [<AccountRow key={kind} account={account} onEnter={setEntered} />] : []
            })}
          </ul>
        )}
      </section>
      <OwnPolicies />
      {entered && <Dialog onDone={done} onClose={close} />}
    </div>
  )
}

/** Result of the sign-in from which the browser has just returned. */
function Outcome() {
  const { t } = useTranslation('actions')
  const { account } = useSearch({ strict: false }) as { account?: unknown }
  const { data: outcome } = PersonalOutcome.safeParse(account)
  if (!outcome) return null
  if (outcome === 'connected') return <Callout tone="success">{t('connected')}</Callout>
  return <Callout tone="warning">{t(`outcomes.${outcome}`)}</Callout>
}

type RowProps = { account: PersonalAccount; onEnter: (kind: EnteredKind) => void }

function AccountRow({ account: { kind, is_offered, connected }, onEnter }: RowProps) {
  const { t } = useTranslation('actions')
  const signingIn = useSignIn()
  const leaving = useDisconnect(() => void toast.success(t('disconnected')))
  const Icon = icons[kind]
  const name = t(`kinds.${kind}`)
  const failed = signingIn.error ?? leaving.error
  const about = connected
    ? t('since', { address: connected.address, date: formatDate(connected.at) })
    : t(is_offered ? `about.${kind}` : 'not_offered')
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <Icon aria-hidden className="icon flex-none text-ink-3" />
        <span className="min-w-0 flex-1 basis-44">
          <span className="block text-14 font-medium">{name}</span>
          <span className="block text-13 wrap-anywhere text-ink-2">{about}</span>
        </span>
        {connected ? (
          <Button
            variant="danger-ghost"
            busy={leaving.isPending}
            aria-label={`${t('disconnect')} ${name}`}
            onClick={() => leaving.mutate(kind)}
          >
            {t('disconnect')}
          </Button>
        ) : (
          <Button
            disabled={!is_offered}
            busy={signingIn.isPending}
            aria-label={`${t('connect')} ${name}`}
            onClick={() => (kind === 'imap' || kind === 'caldav' ? onEnter(kind) : signingIn.mutate(kind))}
          >
            {t('connect')}
          </Button>
        )}
      </div>
      {failed && <Callout tone="danger">{errorText(t, failed)}</Callout>}
    </li>
  )
}
