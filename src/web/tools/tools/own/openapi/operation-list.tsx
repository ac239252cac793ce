import { Search } from 'lucide-react'
import { useState } from 'react'
import { changesData } from '#shared/tools/own-tools/http-call.ts'
import { MAX_OPERATIONS, type Operation } from '#shared/tools/own-tools/openapi.ts'
import { ToolPolicy } from '#shared/tools/tools/policy.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { Checkbox } from '../../../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../../../platform/ui/choices/segments.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { Select } from '../../../../platform/ui/select.tsx'

const filters = ['all', 'reads', 'changes', 'chosen'] as const
type Filter = (typeof filters)[number]
/** Number of rows rendered per step. */
const STEP = 100

/** Selected operations, each with its permission; null for the default. */
export type Picked = Map<string, ToolPolicy | null>

type OperationListProps = { operations: Operation[]; picked: Picked; onPicked: (picked: Picked) => void }

/** Operations of a description, with a filter and checkboxes. */
export function OperationList({ operations, picked, onPicked }: OperationListProps) {
  const { t } = useTranslation('own_tools')
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [shown, setShown] = useState(STEP)
  const words = query.trim().toLowerCase()
  const found = operations.filter(
    (one) =>
      isOf(filter, one, picked) && `${one.key} ${one.summary} ${one.tag}`.toLowerCase().includes(words),
  )
  const usable = found.filter(({ unusable }) => unusable === null)
  const isAll = usable.length > 0 && usable.every(({ key }) => picked.has(key))
  const toggle = (keys: string[], isOn: boolean) => {
    const next = new Map(picked)
    for (const key of keys) {
      if (!isOn) next.delete(key)
      else if (!next.has(key) && next.size < MAX_OPERATIONS) next.set(key, null)
    }
    onPicked(next)
  }
  return (
    <section aria-label={t('openapi.list')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Input
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('openapi.search')}
          placeholder={t('openapi.search')}
          value={query}
          className="!w-60"
          onChange={({ target }) => setQuery(target.value)}
        />
        <Choice name={t('openapi.filter')}>
          {filters.map((one) => (
            <Segment key={one} isOn={filter === one} onClick={() => setFilter(one)}>
              {t(`openapi.filters.${one}`)} {operations.filter((each) => isOf(one, each, picked)).length}
            </Segment>
          ))}
        </Choice>
        <span className="text-13 text-ink-3">{t('openapi.match', { count: found.length })}</span>
      </div>
      <div className="rounded-card border border-line">
        <div className="border-b border-line px-3.5 py-2">
          <Checkbox
            checked={isAll}
            mixed={!isAll && usable.some(({ key }) => picked.has(key))}
            disabled={usable.length === 0}
            onCheckedChange={(isOn) =>
              toggle(
                usable.map(({ key }) => key),
                isOn,
              )
            }
            label={<span className="text-13">{t('openapi.all')}</span>}
          />
        </div>
        <ul>
          {found.slice(0, shown).map((operation) => (
            <OperationRow
              key={operation.key}
              operation={operation}
              policy={picked.get(operation.key)}
              onPick={(isOn) => toggle([operation.key], isOn)}
              onPolicy={(policy) => onPicked(new Map(picked).set(operation.key, policy))}
            />
          ))}
        </ul>
        {found.length > shown && (
          <Button variant="ghost" onClick={() => setShown(shown + STEP)}>
            {t('openapi.more', { count: found.length - shown })}
          </Button>
        )}
      </div>
    </section>
  )
}

type OperationRowProps = {
  operation: Operation
  /** Undefined when the operation is not selected. */
  policy: ToolPolicy | null | undefined
  onPick: (isOn: boolean) => void
  onPolicy: (policy: ToolPolicy) => void
}

function OperationRow({ operation, policy, onPick, onPolicy }: OperationRowProps) {
  const { t } = useTranslation('own_tools')
  const { key, method, path, summary, unusable } = operation
  const usual = changesData(method) ? 'ask' : 'auto'
  return (
    <li className="flex items-center gap-3 border-b border-line px-3.5 py-2 text-13 last:border-b-0 max-md:flex-wrap">
      <Checkbox
        checked={policy !== undefined}
        disabled={unusable !== null}
        aria-label={key}
        onCheckedChange={onPick}
      />
      <Badge tone={changesData(method) ? 'line' : 'neutral'}>{method}</Badge>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono">{path}</span>
        <span className="block truncate text-12 text-ink-2">
          {unusable === null ? summary : t('openapi.unusable', { why: unusable })}
        </span>
      </span>
      {policy !== undefined && (
        <Select
          size="sm"
          quiet
          aria-label={t('openapi.policy_of', { key })}
          value={policy ?? usual}
          onValueChange={(value) => onPolicy(ToolPolicy.parse(value))}
          options={ToolPolicy.options.map((value) => ({ value, label: t(`tools:policy.${value}`) }))}
        />
      )}
    </li>
  )
}

function isOf(filter: Filter, { method, key }: Operation, picked: Picked): boolean {
  if (filter === 'all') return true
  if (filter === 'chosen') return picked.has(key)
  return changesData(method) === (filter === 'changes')
}
