import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import * as contract from '#shared/tools/databases/databases.ts'
import { ClassField } from '../../models/data-classes/data-classes.tsx'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { ConnectionFields, type Draft, LimitFields } from './connection-fields.tsx'
import { kindNames, readingRole } from './kind-names.ts'
import { useSaveDatabase, useTestDatabase } from './use-databases.ts'

type DatabaseFormProps = {
  /** Null: a new one. */
  database: contract.Database | null
  hasSqlite: boolean
  onBack: () => void
  onSaved: (saved: contract.Database) => void
}

/** Connects a database, or changes how it is reached. Saving tests the connection first. */
export function DatabaseForm({ database, hasSqlite, onBack, onSaved }: DatabaseFormProps) {
  const { t } = useTranslation('databases')
  const [draft, setDraft] = useState<Draft>(() => startDraft(database))
  const save = useSaveDatabase(database?.id ?? null, onSaved)
  const test = useTestDatabase(database?.id ?? null)
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    test.reset()
    save.reset()
  }
  const kinds = contract.DatabaseKind.options.filter((one) => hasSqlite || one !== 'sqlite')
  const error = save.error ?? test.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(draft)
  }
  const example = readingRole[draft.kind]
  return (
    <form onSubmit={submit} className="grid max-w-180 gap-4">
      <div className="admin-head mb-0!">
        <h2>{database ? database.name : t('connect')}</h2>
        <span className="flex-1" />
        <Button variant="ghost" icon={<ArrowLeft aria-hidden className="icon" />} onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <div>
        <Choice name={t('kind')}>
          {kinds.map((kind) => (
            <Segment
              key={kind}
              isOn={draft.kind === kind}
              onClick={() => change({ kind, port: contract.DEFAULT_PORTS[kind] })}
            >
              {kindNames[kind]}
            </Segment>
          ))}
        </Choice>
      </div>
      <Field label={t('name')}>
        <Input
          required
          maxLength={100}
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      {database && <ClassField of={{ kind: 'database', id: database.id }} />}
      <ConnectionFields draft={draft} hasPassword={database?.has_password ?? false} onChange={change} />
      <LimitFields draft={draft} onChange={change} />
      {test.data && <Tested result={test.data} />}
      {error && (
        <Callout tone="danger" title={t('refused')}>
          {errorText(t, error)}
        </Callout>
      )}
      {example && (
        <section aria-label={t('example')} className="overflow-hidden rounded-row border border-line">
          <div className="flex items-center gap-2 border-b border-line bg-surface-2 py-1 pr-1 pl-3 text-12">
            <span className="flex-1">{t('example')}</span>
            <CopyButton name={t('copy')} size="sm" read={() => example} />
          </div>
          <pre className="overflow-x-auto px-3 py-2 font-mono text-12 leading-[18px]">{example}</pre>
        </section>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t(database ? 'save' : 'test_and_connect')}
        </Button>
        <Button busy={test.isPending} onClick={() => test.mutate(draft)}>
          {t('test')}
        </Button>
      </div>
    </form>
  )
}

function Tested({ result: { is_read_only, privileges, version } }: { result: contract.DatabaseTest }) {
  const { t } = useTranslation('databases')
  if (is_read_only)
    return (
      <Callout tone="success" title={t('reads_only')}>
        {version}
      </Callout>
    )
  return (
    <Callout tone="danger" title={t('may_write')}>
      <ul className="list-disc pl-4">
        {privileges.slice(0, 10).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Callout>
  )
}

function startDraft(database: contract.Database | null): Draft {
  if (!database)
    return {
      ...{
        kind: 'postgres',
        name: '',
        host: '',
        port: contract.DEFAULT_PORTS.postgres,
        database: '',
        role: '',
      },
      ...{ tls: 'verified', password: '' },
      ...{ limit_seconds: contract.DEFAULT_QUERY_SECONDS, limit_rows: contract.DEFAULT_QUERY_ROWS },
    }
  const { kind, name, host, port, database: base, role, tls, limit_seconds, limit_rows } = database
  return { kind, name, host, port, database: base, role, tls, limit_seconds, limit_rows }
}
