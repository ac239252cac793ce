import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import {
  addBenchFeedback,
  type BenchFeedback,
  type BenchSet,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { readAgain, useFeedback } from './use-retrieval-bench.ts'

/** Feedback on replies, to be added to a set as questions. */
export function FeedbackDialog({ set, onClose }: { set: BenchSet; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const { data, error } = useFeedback(page)
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(open) => !open && onClose()}
      title={t('debug.bench.from_feedback')}
      description={t('debug.bench.feedback_about')}
      footer={<Button onClick={onClose}>{t('debug.bench.close')}</Button>}
    >
      <div className="grid gap-3">
        {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
        {!data && !error && <Skeletons sizes={['h-10 w-full', 'h-10 w-full']} className="grid gap-2" />}
        {data?.items.length === 0 && <p className="text-13 text-ink-2">{t('debug.bench.no_feedback')}</p>}
        <ul className="grid gap-3">
          {data?.items.map((one) => (
            <Given key={`${one.message_id} ${one.user_id}`} set={set} given={one} />
          ))}
        </ul>
        {data && (page > 1 || data.has_more) && (
          <div className="flex gap-2">
            <Button size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('administration.previous')}
            </Button>
            <Button size="sm" disabled={!data.has_more} onClick={() => setPage(page + 1)}>
              {t('administration.next')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function Given({ set, given }: { set: BenchSet; given: BenchFeedback }) {
  const { t } = useTranslation('admin')
  const { message_id, user_id, question, rating, comment, passages, at } = given
  const take = useAction(
    () => call(addBenchFeedback, { params: { benchSetId: set.id }, body: { message_id, user_id } }),
    () => void readAgain(),
  )
  const Icon = rating === 'up' ? ThumbsUp : ThumbsDown
  return (
    <li className="grid gap-2 text-13">
      <div className="flex items-start gap-2">
        <Icon aria-hidden className="icon mt-0.5 flex-none text-ink-3" />
        <span className="sr-only">{t(`debug.bench.rating.${rating}`)}</span>
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2">{question}</span>
          <span className="block text-12 text-ink-2">
            {[formatDate(at), t('debug.bench.cited', { count: passages }), comment]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <Button size="sm" busy={take.isPending} onClick={() => void take.run()}>
          {t('debug.bench.take')}
        </Button>
      </div>
      {take.error !== null && <Callout tone="danger">{errorText(t, take.error)}</Callout>}
    </li>
  )
}
