import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useId } from 'react'
import { JoinStrategy, LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Textarea } from '../../platform/ui/input.tsx'
import { NumberInput, RangeInput } from '../../platform/ui/number-input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import type { SearchForm, SearchType } from './search-form.ts'
import { type useRerankers, useVectorFields } from './use-search.ts'

type Props = {
  form: SearchForm
  collections: readonly { name: string }[]
  collectionsError: unknown
  known: ReturnType<typeof useRerankers>
  isPending: boolean
  onChange: (more: Partial<SearchForm>) => void
  onSearch: () => void
}

const types: readonly SearchType[] = ['vector', 'keyword', 'hybrid']

/** All parameters of a search. */
export function SearchControls(props: Props) {
  const { form, collections, collectionsError, known, isPending, onChange, onSearch } = props
  const { t } = useTranslation('vectors')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch()
  }
  const names = new Set([LIBRARY_COLLECTION, ...collections.map(({ name }) => name)])
  return (
    <form onSubmit={submit} aria-label={t('search.title')} className="grid content-start gap-3.5">
      <Field label={t('search.query')}>
        <Textarea value={form.query} onChange={(event) => onChange({ query: event.target.value })} />
      </Field>
      <Field label={t('search.collection')}>
        <Select
          value={form.collection}
          onValueChange={(collection) => onChange({ collection, targets: [] })}
          options={[
            { value: '', label: t('rag.choose_collection') },
            ...[...names].map((value) => ({ value, label: value })),
          ]}
        />
      </Field>
      {Boolean(collectionsError) && (
        <Trouble>{t('errors.db_collections', { message: errorText(t, collectionsError) })}</Trouble>
      )}
      <Field label={t('search.type')}>
        <Select
          value={form.type}
          onValueChange={(value) => onChange({ type: value as SearchType })}
          options={types.map((value) => ({ value, label: t(`search.types.${value}`) }))}
        />
      </Field>
      {form.type === 'hybrid' && (
        <Field label={t('search.alpha')} aside={hundredths(form.alpha)}>
          <RangeInput step={0.05} value={form.alpha} onValueChange={(alpha) => onChange({ alpha })} />
        </Field>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('search.limit')}>
          <NumberInput
            value={form.limit}
            onValueChange={(limit) => onChange({ limit })}
            min={5}
            max={100}
            fallback={20}
          />
        </Field>
        <Field label={t('search.top')}>
          <NumberInput
            value={form.top}
            onValueChange={(top) => onChange({ top })}
            min={1}
            max={50}
            fallback={5}
          />
        </Field>
      </div>
      <VectorFields form={form} onChange={onChange} />
      <Field label={t('search.join')}>
        <Select
          value={form.join}
          onValueChange={(value) => onChange({ join: value as JoinStrategy })}
          options={JoinStrategy.options.map((value) => ({ value, label: value }))}
        />
      </Field>
      <Field label={t('search.reranker')}>
        <Select
          value={form.reranker}
          onValueChange={(reranker) => onChange({ reranker })}
          options={[
            { value: '', label: t('search.no_reranker') },
            ...known.rerankers.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      </Field>
      {known.error && <Trouble>{t('errors.rerankers', { message: errorText(t, known.error) })}</Trouble>}
      <Field label={t('search.threshold')} aside={hundredths(form.threshold)}>
        <RangeInput
          step={0.05}
          value={form.threshold}
          onValueChange={(threshold) => onChange({ threshold })}
        />
      </Field>
      <Checkbox
        label={t('search.only_this')}
        checked={form.isOnlyThis}
        onCheckedChange={(isOnlyThis) => onChange({ isOnlyThis })}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={isPending}
        disabled={form.query.trim() === '' || form.collection === ''}
        icon={<Search aria-hidden className="icon" />}
      >
        {t('search.submit')}
      </Button>
    </form>
  )
}

/** The compared vectors of the collection; an empty selection means all. */
function VectorFields({ form, onChange }: Pick<Props, 'form' | 'onChange'>) {
  const { t } = useTranslation('vectors')
  const id = useId()
  const { fields, error } = useVectorFields(form.collection)
  if (error) return <Trouble>{t('errors.fields', { message: errorText(t, error) })}</Trouble>
  if (fields.length === 0) return null
  return (
    <fieldset aria-labelledby={id}>
      <legend id={id} className="mb-1.5 text-13 font-medium">
        {t('search.fields')}
      </legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {fields.map(({ name, model, is_multi_vector }) => (
          <Checkbox
            key={name}
            label={[name, model, is_multi_vector && t('search.multi')].filter(Boolean).join(' · ')}
            checked={form.targets.includes(name)}
            onCheckedChange={(isOn) =>
              onChange({
                targets: isOn ? [...form.targets, name] : form.targets.filter((one) => one !== name),
              })
            }
          />
        ))}
      </div>
    </fieldset>
  )
}

const hundredths = (value: number) => (
  <span className="num">{formatNumber(value, { minimumFractionDigits: 2 })}</span>
)

const Trouble = ({ children }: { children: ReactNode }) => <Callout tone="danger">{children}</Callout>
