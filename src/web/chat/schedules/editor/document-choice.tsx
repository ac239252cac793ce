import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Rule } from '#shared/chat/schedules/rule.ts'
import { listReadableConnectors } from '#shared/knowledge/connectors/readable-connectors.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import type { FormProps } from './schedule-draft.ts'
import { withChosen } from './with-chosen.ts'

/** Connectors offered. Searching among more would need a field of its own. */
const SHOWN = 100

/** Chooses the project or the connected source of the documents. */
export function DocumentChoice({ draft: { rule }, change }: FormProps) {
  const { t } = useTranslation('schedules')
  return (
    <Choice name={t('document_of.name')}>
      <Segment
        isOn={rule.kind === 'document'}
        onClick={() => change({ rule: { kind: 'document', workspace_id: '' } })}
      >
        {t('document_of.project')}
      </Segment>
      <Segment
        isOn={rule.kind === 'connector_document'}
        onClick={() => change({ rule: { kind: 'connector_document', connector_id: '' } })}
      >
        {t('document_of.source')}
      </Segment>
    </Choice>
  )
}

type SourceProps = Pick<FormProps, 'change'> & {
  rule: Extract<Rule, { connector_id: string }>
  error: string | undefined
}

/** The connected source whose documents start a schedule. */
export function SourceField({ rule, change, error }: SourceProps) {
  const { t } = useTranslation('schedules')
  const { data } = useQuery({
    queryKey: ['readable-connectors'],
    queryFn: ({ signal }) => call(listReadableConnectors, { query: { limit: SHOWN }, signal }),
    staleTime: 60_000,
  })
  if (data?.total === 0 && rule.connector_id === '')
    return (
      <p className="text-13 text-ink-2">
        {t('no_sources')}{' '}
        <Link to="/documents/connectors" className="text-accent underline">
          {t('connect_source')}
        </Link>
      </p>
    )
  const known = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Field label={t('field.source')} error={error}>
      <Select
        value={rule.connector_id}
        options={withChosen(known, rule.connector_id, t('choose_source'))}
        onValueChange={(connector_id) => change({ rule: { kind: 'connector_document', connector_id } })}
      />
    </Field>
  )
}
