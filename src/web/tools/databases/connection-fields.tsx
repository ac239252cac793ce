import * as contract from '#shared/tools/databases/databases.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { NumberInput } from '../../platform/ui/number-input.tsx'
import { Select } from '../../platform/ui/select.tsx'

export type Draft = contract.DatabaseChanges
type FieldsProps = { draft: Draft; onChange: (part: Partial<Draft>) => void }

/** Host, role and password; for SQLite the name of a file. */
export function ConnectionFields({ draft, hasPassword, onChange }: FieldsProps & { hasPassword: boolean }) {
  const { t } = useTranslation('databases')
  if (draft.kind === 'sqlite')
    return (
      <Field label={t('file')} hint={t('file_hint')}>
        <Input
          required
          value={draft.database}
          onChange={({ target }) => onChange({ database: target.value })}
        />
      </Field>
    )
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_110px] gap-4 md:grid-cols-[minmax(0,1fr)_110px_minmax(0,1fr)]">
        <Field label={t('host')}>
          <Input
            required
            value={draft.host}
            onChange={({ target }) => onChange({ host: target.value.trim() })}
          />
        </Field>
        <Field label={t('port')}>
          <NumberInput
            value={draft.port ?? contract.DEFAULT_PORTS[draft.kind] ?? 0}
            onValueChange={(port) => onChange({ port })}
            {...{ min: 1, max: 65_535, fallback: contract.DEFAULT_PORTS[draft.kind] ?? 1 }}
          />
        </Field>
        <Field label={t('database')} className="max-md:col-span-2">
          <Input
            required
            value={draft.database}
            onChange={({ target }) => onChange({ database: target.value })}
          />
        </Field>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('role')} hint={t('role_hint')}>
          <Input
            required
            autoComplete="off"
            value={draft.role}
            onChange={({ target }) => onChange({ role: target.value })}
          />
        </Field>
        <Field label={t('password')} hint={t(hasPassword ? 'password_kept' : 'password_hint')}>
          <Input
            type="password"
            autoComplete="new-password"
            value={draft.password ?? ''}
            onChange={({ target }) => onChange({ password: target.value })}
          />
        </Field>
      </div>
    </>
  )
}

const SECONDS = [10, 30, 60, 120, contract.MAX_QUERY_SECONDS]
const ROWS = [1_000, contract.DEFAULT_QUERY_ROWS, 50_000, contract.MAX_QUERY_ROWS]
const encryptions = ['verified', 'unverified', 'off'] as const

/** Limits of each query, and the encryption of the connection. */
export function LimitFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation('databases')
  const numbers = (choices: number[], now: number) => [...new Set([...choices, now])].sort((a, b) => a - b)
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Field label={t('seconds')}>
        <Select
          value={String(draft.limit_seconds)}
          options={numbers(SECONDS, draft.limit_seconds).map((one) => ({
            value: String(one),
            label: t('seconds_each', { count: one }),
          }))}
          onValueChange={(value) => onChange({ limit_seconds: Number(value) })}
        />
      </Field>
      <Field label={t('rows')}>
        <Select
          value={String(draft.limit_rows)}
          options={numbers(ROWS, draft.limit_rows).map((one) => ({
            value: String(one),
            label: formatNumber(one),
          }))}
          onValueChange={(value) => onChange({ limit_rows: Number(value) })}
        />
      </Field>
      {draft.kind !== 'sqlite' && (
        <Field label={t('encryption')}>
          <Select
            value={draft.tls}
            options={encryptions.map((value) => ({ value, label: t(`tls.${value}`) }))}
            onValueChange={(value) =>
              onChange({ tls: encryptions.find((one) => one === value) ?? 'verified' })
            }
          />
        </Field>
      )}
    </div>
  )
}
