import { Play, Square } from 'lucide-react'
import type { FormEvent } from 'react'
import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import type { problemOf, RagForm } from './rag-form.ts'
import type { RagModel, RagProvider } from './rag-models.ts'
import { RagOptions } from './rag-options.tsx'

type Props = {
  form: RagForm
  collections: readonly { name: string; object_count: number }[]
  areKnown: boolean | undefined
  providers: readonly RagProvider[]
  /** Models of the selected provider. */
  models: readonly RagModel[]
  /** The missing parameter, once an answer was requested. */
  problem: ReturnType<typeof problemOf>
  isPending: boolean
  onChange: (more: Partial<RagForm>) => void
  onSubmit: () => void
  onStop: () => void
}

/** All parameters of an answer. */
export function RagControls(props: Props) {
  const { form, collections, areKnown, providers, models, problem, isPending } = props
  const { onChange, onSubmit, onStop } = props
  const { t } = useTranslation('vectors')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const isEmpty = areKnown !== undefined && collections.length === 0
  const shown = collections.length > 0 ? collections : [{ name: LIBRARY_COLLECTION, object_count: null }]
  const marked = (name: string, isThere: boolean) => (isThere ? name : t('rag.not_connected', { name }))
  return (
    <form onSubmit={submit} aria-label={t('rag.title')} className="grid content-start gap-3.5">
      <Field label={t('search.query')} error={problem === 'no_query' && t('rag.no_query')}>
        <Textarea value={form.query} onChange={(event) => onChange({ query: event.target.value })} />
      </Field>
      <Field label={t('search.collection')} error={problem === 'no_collection' && t('rag.no_collection')}>
        <Select
          value={form.collection}
          onValueChange={(collection) => onChange({ collection })}
          options={[
            { value: '', label: t('rag.choose_collection') },
            ...shown.map(({ name, object_count: count }) => ({
              value: name,
              label:
                count === null
                  ? name
                  : `${name} · ${t('objects_count', { count, number: formatNumber(count) })}`,
            })),
          ]}
        />
      </Field>
      {isEmpty && <Callout tone={areKnown ? 'warning' : 'danger'}>{t('rag.no_collections')}</Callout>}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('rag.provider')}>
          <Select
            value={form.provider}
            onValueChange={(provider) => onChange({ provider, model: '' })}
            options={providers.map(({ value, name, isThere }) => ({
              ...{ value, label: marked(name, isThere), disabled: !isThere },
            }))}
          />
        </Field>
        <Field label={t('rag.model')}>
          <Select
            value={form.model}
            onValueChange={(model) => onChange({ model })}
            options={models.map(({ value, isThere }) => ({
              ...{ value, label: marked(value, isThere), disabled: !isThere },
            }))}
          />
        </Field>
      </div>
      <RagOptions form={form} onChange={onChange} />
      {isPending ? (
        <Button size="lg" wide icon={<Square aria-hidden className="icon" />} onClick={onStop}>
          {t('rag.stop')}
        </Button>
      ) : (
        <Button type="submit" variant="primary" size="lg" wide icon={<Play aria-hidden className="icon" />}>
          {t('rag.submit')}
        </Button>
      )}
    </form>
  )
}
