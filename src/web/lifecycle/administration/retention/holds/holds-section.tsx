import { Plus, Scale } from 'lucide-react'
import { useState } from 'react'
import { HOLDS_LIMIT, type LegalHold } from '#shared/lifecycle/legal-holds/legal-holds.ts'
import { formatDate } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { Skeleton } from '../../../../platform/ui/states/skeleton.tsx'
import { Pages } from '../../pages.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { LiftHoldForm } from './lift-hold-form.tsx'
import { PlaceHoldForm } from './place-hold-form.tsx'
import { useHolds } from './use-holds.ts'

/** Legal holds, which keep data from every deletion. */
export function HoldsSection() {
  const { t } = useTranslation('admin')
  const [page, setPage] = useState(1)
  const [isPlacing, setPlacing] = useState(false)
  const [lifting, setLifting] = useState<LegalHold | null>(null)
  const { data, error, refetch } = useHolds(page)
  return (
    <section className="mt-6">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="text-13 font-medium">{t('holds.title')}</h3>
          <p className="mt-1 text-12 text-ink-3">{t('holds.intro')}</p>
        </div>
        <Button size="sm" icon={<Plus aria-hidden className="icon-14" />} onClick={() => setPlacing(true)}>
          {t('holds.new')}
        </Button>
      </div>
      {error && !data && <ReadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-14 rounded-card" />}
      {data && (
        <ul className="admin-card divide-y divide-line">
          {data.items.length === 0 && <li className="px-4 py-4 text-13 text-ink-2">{t('holds.none')}</li>}
          {data.items.map((hold) => (
            <HoldRow key={hold.id} hold={hold} onLift={() => setLifting(hold)} />
          ))}
        </ul>
      )}
      {data && data.total > HOLDS_LIMIT && (
        <Pages
          page={page}
          limit={HOLDS_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      {isPlacing && <PlaceHoldForm onClose={() => setPlacing(false)} />}
      {lifting && <LiftHoldForm hold={lifting} onClose={() => setLifting(null)} />}
    </section>
  )
}

function HoldRow({ hold, onLift }: { hold: LegalHold; onLift: () => void }) {
  const { t } = useTranslation('admin')
  const { kind, name, reason, placed_by, placed_at, lifted } = hold
  const day = (at: string) => formatDate(at, { dateStyle: 'long' })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-0 flex-1 basis-64">
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-words font-medium">{name}</span>
          <Badge tone={lifted ? 'line' : 'accent'} icon={lifted ? undefined : <Scale aria-hidden />}>
            {t(`holds.subject.${kind}`)}
          </Badge>
        </span>
        <span className="mt-1 block break-words text-13 text-ink-2">{lifted ? lifted.reason : reason}</span>
        <span className="mt-1 block text-12 text-ink-3">
          {lifted
            ? t('holds.lifted', { date: day(lifted.at), name: lifted.by })
            : t('holds.placed', { date: day(placed_at), name: placed_by })}
        </span>
      </span>
      {!lifted && (
        <Button size="sm" aria-label={t('holds.lift_name', { name })} onClick={onLift}>
          {t('holds.lift')}
        </Button>
      )}
    </li>
  )
}
