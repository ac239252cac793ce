import { Hand, Undo2 } from 'lucide-react'
import type { Connector, Removal } from '#shared/knowledge/connectors/connectors.ts'
import { formatDate, formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { timeText } from '../connector-words.ts'
import { useConnectorActions } from '../use-connectors.ts'

/** Asks whether many missing items were deleted at the source. A confirmed removal can be undone. */
export function RemovalQuestion({ connector }: { connector: Connector }) {
  const { removal } = connector
  if (!removal) return null
  return removal.state === 'asked' ? (
    <Question id={connector.id} removal={removal} />
  ) : (
    <Undo id={connector.id} removal={removal} />
  )
}

type Props = { id: string; removal: Removal }

function Question({ id, removal }: Props) {
  const { t } = useTranslation('connectors')
  const { answering } = useConnectorActions(id)
  const answer = (given: 'remove' | 'keep') => answering.mutate({ removal_id: removal.id, answer: given })
  const isBusy = (given: string) => answering.isPending && answering.variables.answer === given
  const percent = formatNumber(removal.of > 0 ? removal.missing / removal.of : 1, { style: 'percent' })
  const values = { missing: formatNumber(removal.missing), of: formatNumber(removal.of), percent }
  return (
    <section aria-labelledby="removal-title" className="rounded-card border border-warning p-5">
      <h2 id="removal-title" className="flex items-start gap-2.5 text-16 font-semibold">
        <Hand aria-hidden className="icon-18 mt-0.5 flex-none text-warning" />
        {t('question.title', values)}
      </h2>
      <p className="num mt-1 text-12 text-ink-3">
        {t('question.asked', { time: timeText(removal.asked_at) })}
      </p>
      <p className="mt-3 text-14 text-ink-2">{t('question.text', values)}</p>
      {removal.folders.length > 0 && (
        <table className="mt-4 w-full text-13">
          <thead>
            <tr className="border-b border-line text-left text-12 text-ink-3">
              <th className="py-1.5 font-medium">{t('question.folder')}</th>
              <th className="py-1.5 text-right font-medium">{t('question.missing')}</th>
            </tr>
          </thead>
          <tbody>
            {removal.folders.map(({ path, missing }) => (
              <tr key={path} className="border-b border-line last:border-b-0">
                <td className="py-2 wrap-anywhere">{path || t('top_folder')}</td>
                <td className="num py-2 text-right">{formatNumber(missing)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="primary" busy={isBusy('keep')} onClick={() => answer('keep')}>
          {t('question.keep')}
        </Button>
        <Button variant="danger-ghost" busy={isBusy('remove')} onClick={() => answer('remove')}>
          {t('question.remove')}
        </Button>
      </div>
      <p className="mt-3 text-12 text-ink-3">{t('question.later')}</p>
    </section>
  )
}

function Undo({ id, removal }: Props) {
  const { t } = useTranslation('connectors')
  const { undoing } = useConnectorActions(id)
  const { missing, undo_until } = removal
  const date = undo_until ? formatDate(undo_until, { dateStyle: 'long' }) : ''
  return (
    <Callout
      tone="neutral"
      title={t('undo.title', { count: missing, shown: formatNumber(missing) })}
      action={
        <Button
          size="sm"
          icon={<Undo2 aria-hidden className="icon-14" />}
          busy={undoing.isPending}
          onClick={() => undoing.mutate(removal.id)}
        >
          {t('undo.action')}
        </Button>
      }
    >
      {date && t('undo.until', { date })}
    </Callout>
  )
}
