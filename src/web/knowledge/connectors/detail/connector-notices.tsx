import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { SignInOutcome } from '#shared/knowledge/connectors/sign-in.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { isBeforeSignIn, nameOfSource, timeText } from '../connector-words.ts'
import { useSignIn, useSignInSource } from '../use-connectors.ts'

const RIGHTS_MS = 24 * 3_600_000

/** A sync under way, a failure of the last one, an ended sign-in, and rights that are too old. */
export function ConnectorNotices({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { state, error, rights, rights_read_at, next_sync_at } = connector
  const hasOldRights =
    rights === 'mirrored' && rights_read_at !== null && Date.now() - Date.parse(rights_read_at) > RIGHTS_MS
  return (
    <>
      {state === 'working' && <Progress connector={connector} />}
      <FailedSignIn />
      {state === 'signed_out' && <SignedOut connector={connector} />}
      {state === 'failing' && (
        <Callout tone="warning" title={t('failing.title')}>
          {error} {next_sync_at && t('failing.again', { time: timeText(next_sync_at) })}
        </Callout>
      )}
      {hasOldRights && (
        <Callout tone="warning" title={t('old_rights.title')}>
          {t('old_rights.text', { time: timeText(rights_read_at) })}
        </Callout>
      )}
    </>
  )
}

/** Tells why the sign-in failed from which the browser returned. */
function FailedSignIn() {
  const { t } = useTranslation('connectors')
  const { sign_in } = useSearch({ strict: false }) as { sign_in?: unknown }
  const { data: outcome } = SignInOutcome.safeParse(sign_in)
  if (!outcome || outcome === 'connected') return null
  return <Callout tone="warning">{t(`sign_in_outcome.${outcome}`)}</Callout>
}

function SignedOut({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const { error } = connector
  const navigate = useNavigate()
  const source = useSignInSource(connector)
  const signingIn = useSignIn(connector.id)
  const isFirst = isBeforeSignIn(connector)
  if (source)
    return (
      <Callout
        tone={isFirst ? 'neutral' : 'danger'}
        title={isFirst ? t('sign_in.first', { source: nameOfSource(t, source.id) }) : t('signed_out.title')}
        action={
          <Button size="sm" variant="primary" busy={signingIn.isPending} onClick={() => signingIn.mutate()}>
            {t(isFirst ? 'sign_in.action' : 'signed_out.action')}
          </Button>
        }
      >
        {isFirst ? t('steps.page_text') : `${error ?? ''} ${t('signed_out.text')}`}
      </Callout>
    )
  return (
    <Callout
      tone="danger"
      title={t('signed_out.title')}
      action={
        <Button
          size="sm"
          onClick={() => void navigate({ to: '.', search: { tab: 'settings' } as never, replace: true })}
        >
          {t('signed_out.action')}
        </Button>
      }
    >
      {error} {t('signed_out.text')}
    </Callout>
  )
}

/** How far a sync is: first the source is listed, then items are read. */
function Progress({ connector: { progress, read } }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const done = progress ? Math.max(0, progress.listed - progress.waiting) : 0
  const isReading = progress?.phase === 'reading'
  const label = progress ? t(`progress.${progress.phase}`) : t('progress.queued')
  return (
    <section aria-label={t('progress.title')} className="rounded-card border border-line p-5">
      <p className="num flex min-h-9 flex-wrap items-baseline gap-x-2 text-ink-2" role="status">
        <span className="text-28 font-semibold tracking-[-0.025em] text-ink">
          {formatNumber(isReading ? done : (progress?.listed ?? read))}
        </span>
        {isReading
          ? t('progress.of', { count: progress.listed, total: formatNumber(progress.listed) })
          : t('progress.listed', { count: progress?.listed ?? read })}
      </p>
      <progress
        className="mt-3 block h-1.5 w-full accent-accent"
        aria-label={label}
        max={Math.max(1, progress?.listed ?? 1)}
        {...(isReading && { value: done })}
      />
      <p className="mt-3 text-13 text-ink-3">
        {label} {t('progress.text')}
      </p>
    </section>
  )
}
