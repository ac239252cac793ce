import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import {
  OUTSIDE_LIMIT,
  type OutsideAccess,
  OutsideKind,
} from '#shared/lifecycle/outside-access/outside-access.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../admin-head.tsx'
import { AdminSearch } from '../admin-search.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { OutsideAccessTable } from './outside-access-table.tsx'
import { useEndAccess, useOutsideAccess } from './use-outside-access.ts'

/** API keys, embeds, connected programs and webhooks of the administrator's companies. */
export function OutsideAccessPage() {
  const { t } = useTranslation('outside_access')
  const navigate = useNavigate()
  const asked = useSearch({ strict: false }) as { kind?: string }
  const kind = OutsideKind.options.find((one) => one === asked.kind) ?? ''
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [ending, setEnding] = useState<OutsideAccess | null>(null)
  const { data, error, isPending, refetch } = useOutsideAccess(typed, kind, page)
  const choose = (next: OutsideKind | '') => {
    setPage(1)
    const search = { page: 'connections', ...(next && { kind: next }) }
    void navigate({ to: '/admin', search: search as never, replace: true })
  }
  const all = data ? Object.values(data.counts).reduce((sum, count) => sum + count, 0) : undefined
  const label = (name: string, count: number | undefined) =>
    count === undefined ? name : `${name} ${formatNumber(count)}`
  return (
    <>
      <AdminHead title={t('admin:administration.page.connections')} count={all}>
        <AdminSearch
          label={t('search')}
          value={typed}
          onSearch={(next) => {
            setTyped(next)
            setPage(1)
          }}
        />
      </AdminHead>
      <p className="-mt-2 mb-4 text-13 text-ink-2">{t('intro')}</p>
      <div className="mb-3">
        <Choice name={t('kinds')}>
          <Segment isOn={kind === ''} onClick={() => choose('')}>
            {label(t('all'), all)}
          </Segment>
          {OutsideKind.options.map((one) => (
            <Segment key={one} isOn={kind === one} onClick={() => choose(one)}>
              {label(t(`kind.${one}`), data?.counts[one])}
            </Segment>
          ))}
        </Choice>
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11', 'h-11']} />}
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <EmptyState
          icon={<Plug aria-hidden />}
          title={typed.trim() ? t('nothing', { query: typed.trim() }) : t('empty')}
        >
          {!typed.trim() && t('empty_hint')}
        </EmptyState>
      )}
      {data && data.items.length > 0 && <OutsideAccessTable items={data.items} onEnd={setEnding} />}
      {data && (
        <Pages
          page={page}
          limit={OUTSIDE_LIMIT}
          shown={data.items.length}
          total={data.total}
          onPage={setPage}
        />
      )}
      {ending && <EndDialog access={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function EndDialog({ access, onClose }: { access: OutsideAccess; onClose: () => void }) {
  const { t } = useTranslation('outside_access')
  const { mutate, isPending } = useEndAccess(onClose)
  const { name, owner, companies, kind } = access
  const whose = { name, owner: owner?.name ?? companies[0] ?? '' }
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={t(owner ? 'title' : 'title_company', whose)}
      message={t(`message.${kind}`)}
      confirmLabel={t('act')}
      busy={isPending}
      onConfirm={() => mutate(access)}
    />
  )
}
