import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import {
  type BenchSet,
  type BenchSetting,
  beginBenchRuns,
  MAX_SETTINGS,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { listRerankers } from '#shared/knowledge/search/search.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { NumberInput } from '../../platform/ui/number-input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { readAgain } from './use-retrieval-bench.ts'

const first: BenchSetting = { type: 'hybrid', alpha: 0.5, reranker: null, candidates: 20 }
const types = ['hybrid', 'vector', 'keyword'] as const
type Row = BenchSetting & { key: number }

/** Selects the settings of up to four new runs. */
export function RunDialog({ set, onClose }: { set: BenchSet; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const form = useId()
  const [rows, setRows] = useState<Row[]>([{ ...first, key: 0 }])
  const { run, isPending, error } = useAction(
    () => {
      const settings = rows.map(({ key: _, ...setting }) => setting)
      return call(beginBenchRuns, { params: { benchSetId: set.id }, body: { settings } })
    },
    () => {
      void readAgain()
      onClose()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  const change = (key: number, more: Partial<BenchSetting>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...more } : row)))
  const add = () => setRows([...rows, { ...first, type: 'keyword', key: (rows.at(-1)?.key ?? 0) + 1 }])
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={t('debug.bench.new_run')}
      description={t('debug.bench.new_run_about', { count: set.cases })}
      footer={
        <>
          <Button onClick={onClose}>{t('models.cancel')}</Button>
          <Button variant="primary" type="submit" form={form} busy={isPending}>
            {t('debug.bench.begin')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="grid gap-3">
        {rows.map((row) => (
          <SettingFields
            key={row.key}
            setting={row}
            onChange={(more) => change(row.key, more)}
            onRemove={rows.length > 1 ? () => setRows(rows.filter((one) => one !== row)) : undefined}
          />
        ))}
        {rows.length < MAX_SETTINGS && (
          <span>
            <Button size="sm" icon={<Plus aria-hidden className="icon" />} onClick={add}>
              {t('debug.bench.another')}
            </Button>
          </span>
        )}
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  setting: BenchSetting
  onChange: (more: Partial<BenchSetting>) => void
  onRemove: (() => void) | undefined
}

function SettingFields({ setting, onChange, onRemove }: FieldsProps) {
  const { t } = useTranslation('admin')
  const { data } = useQuery({
    queryKey: ['rerankers'],
    queryFn: ({ signal }) => call(listRerankers, { signal }),
  })
  const { type, alpha, reranker, candidates } = setting
  const names = data?.rerankers.map(({ name }) => name) ?? []
  return (
    <div className="flex flex-wrap items-end gap-3 rounded-card border border-line p-4">
      <Field label={t('debug.bench.search')} className="min-w-0 flex-1">
        <Select
          value={type}
          onValueChange={(value) => onChange({ type: types.find((one) => one === value) ?? 'hybrid' })}
          options={types.map((one) => ({ value: one, label: t(`debug.bench.types.${one}`) }))}
        />
      </Field>
      {type === 'hybrid' && (
        <Field label={t('debug.bench.alpha')} className="min-w-0 flex-1">
          <NumberInput
            value={Math.round(alpha * 100)}
            onValueChange={(percent) => onChange({ alpha: percent / 100 })}
            {...{ min: 0, max: 100, fallback: 50 }}
          />
        </Field>
      )}
      <Field label={t('debug.bench.order')} className="min-w-0 flex-1">
        <Select
          value={reranker ?? ''}
          onValueChange={(value) => onChange({ reranker: value || null })}
          options={[
            { value: '', label: t('debug.bench.as_found') },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
        />
      </Field>
      <Field label={t('debug.bench.candidates')} className="min-w-0 flex-1">
        <NumberInput
          value={candidates}
          onValueChange={(value) => onChange({ candidates: value })}
          {...{ min: 10, max: 100, fallback: 20 }}
        />
      </Field>
      {onRemove && (
        <IconButton name={t('debug.bench.remove_setting')} onClick={onRemove}>
          <X aria-hidden className="icon" />
        </IconButton>
      )}
    </div>
  )
}
