import { useSearch } from '@tanstack/react-router'
import { Search, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { THINGS_LIMIT, type ThingKind } from '#shared/identity/grants/grants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Input } from '../../../platform/ui/input.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { AdminHead } from '../admin-head.tsx'
import { Pages } from '../pages.tsx'
import { ReadFailed } from '../read-failed.tsx'
import { ApprovalsSection } from './approvals/approvals-section.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import { GrantsTable } from './grants-table.tsx'
import { SeeAs } from './see-as.tsx'
import { useGrantedThings } from './use-grants.ts'
import './grants.css'

const kinds = ['model', 'tool', 'database', 'assistant', 'feature'] as const satisfies readonly ThingKind[]

const APPROVALS = 'approvals'

/** Grants of models, tools, assistants and features, the named approvers of tools, and the effective decisions for one user. */
export function GrantsPage() {
  const { t } = useTranslation('admin')
  const { kind: asked } = useSearch({ strict: false }) as { kind?: string }
  const [kind, setKind] = useState<ThingKind>(kinds.find((one) => one === asked) ?? 'model')
  const [areApprovals, setApprovals] = useState(false)
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [changed, setChanged] = useState<string | null>(null)
  const { data, error, isPending, refetch } = useGrantedThings({ kind, typed, page })
  const thing = data?.items.find(({ id }) => id === changed)
  const show = (next: ThingKind) => {
    setKind(next)
    setPage(1)
  }
  return (
    <>
      <AdminHead title={t('administration.page.grants')} count={areApprovals ? undefined : data?.total}>
        <div className="admin-search" hidden={areApprovals}>
          <Input
            type="search"
            icon={<Search aria-hidden />}
            aria-label={t('grants.search')}
            placeholder={t('grants.search')}
            maxLength={200}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setPage(1)
            }}
          />
        </div>
      </AdminHead>
      {!areApprovals && <p className="grants-rule">{t('grants.rule')}</p>}
      <Tabs
        name={t('grants.kinds')}
        value={areApprovals ? APPROVALS : kind}
        onValueChange={(next) => {
          setApprovals(next === APPROVALS)
          if (next !== APPROVALS) show(kinds.find((one) => one === next) ?? 'model')
        }}
        tabs={[
          ...kinds.map((one) => ({ value: one, label: t(`grants.kind.${one}`) })),
          { value: APPROVALS, label: t('approvals.title') },
        ]}
      />
      {areApprovals && <ApprovalsSection />}
      <div className="grants" hidden={areApprovals}>
        <div>
          {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
          {error && <ReadFailed error={error} onRetry={refetch} />}
          {data?.items.length === 0 && (
            <EmptyState
              icon={<ShieldCheck aria-hidden />}
              title={t(typed.trim() ? 'grants.nothing' : 'grants.none')}
            />
          )}
          {data && data.items.length > 0 && <GrantsTable things={data.items} onChange={setChanged} />}
          {data && (
            <Pages
              page={page}
              limit={THINGS_LIMIT}
              shown={data.items.length}
              total={data.total}
              onPage={setPage}
            />
          )}
        </div>
        <SeeAs kind={kind} typed={typed} />
      </div>
      {thing && <GrantDialog thing={thing} onClose={() => setChanged(null)} />}
    </>
  )
}
