import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  createCollection,
  DistanceMetric,
  embeddingDimensions,
  IndexType,
} from '#shared/knowledge/vector-db/vector-db.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { aProperty, aVectorizer, bodyOf, emptyForm, troubleOf } from './collection-draft.ts'
import { PropertyFields, VectorizerFields } from './part-fields.tsx'
import { readAgain } from './use-vector-db.ts'

type Props = { isFirst: boolean; onMade: (name: string) => void; onCancel: () => void }
const models = Object.entries(embeddingDimensions)

/** All settings of a new collection. */
export function CollectionForm({ isFirst, onMade, onCancel }: Props) {
  const { t } = useTranslation('vectors')
  const [draft, setDraft] = useState(emptyForm)
  const [trouble, setTrouble] = useState<ReturnType<typeof troubleOf>>(null)
  const change = (more: Partial<typeof draft>) => setDraft({ ...draft, ...more })
  const { run, isPending, error } = useAction(
    () => call(createCollection, { body: bodyOf(draft) }),
    () => {
      void readAgain()
      onMade(draft.name.trim())
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = troubleOf(draft)
    setTrouble(found)
    if (!found) void run()
  }
  return (
    <form onSubmit={submit} className="grid gap-4" aria-label={t('form.title')}>
      {isFirst && <Callout tone="warning">{t('form.first')}</Callout>}
      <h2 className="text-18 font-semibold">{t('form.title')}</h2>
      <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-4">
        <Field label={t('form.name')}>
          <Input value={draft.name} onChange={(event) => change({ name: event.target.value })} />
        </Field>
        <Field label={t('form.model')}>
          <Select
            value={draft.embedding_model}
            onValueChange={(embedding_model) => change({ embedding_model })}
            options={[
              { value: '', label: t('form.no_model') },
              ...models.map(([value, dimensions]) => ({ value, label: `${value} · ${dimensions}` })),
            ]}
          />
        </Field>
        <Field label={t('form.index')}>
          <Select
            value={draft.index_type}
            onValueChange={(value) => change({ index_type: value as typeof draft.index_type })}
            options={IndexType.options.map((value) => ({ value, label: value }))}
          />
        </Field>
        <Field label={t('form.metric')}>
          <Select
            value={draft.distance_metric}
            onValueChange={(value) => change({ distance_metric: value as typeof draft.distance_metric })}
            options={DistanceMetric.options.map((value) => ({ value, label: value }))}
          />
        </Field>
      </div>
      <Field label={t('form.description')} optional>
        <Input value={draft.description} onChange={(event) => change({ description: event.target.value })} />
      </Field>
      <Switch
        label={t('form.tenancy')}
        checked={draft.multi_tenancy_enabled}
        onCheckedChange={(multi_tenancy_enabled) => change({ multi_tenancy_enabled })}
      />
      <p className="-mt-2.5 text-12 text-ink-2">{t('form.tenancy_about')}</p>
      <Part
        title={t('form.vectors')}
        action={t('form.add_vector')}
        onAdd={() => change({ vectorizers: [...draft.vectorizers, aVectorizer()] })}
      >
        <Callout tone="warning">{t('form.integrations')}</Callout>
        <VectorizerFields all={draft.vectorizers} onChange={(vectorizers) => change({ vectorizers })} />
      </Part>
      <Part
        title={t('form.properties')}
        action={t('form.add_property')}
        onAdd={() => change({ properties: [...draft.properties, aProperty()] })}
      >
        <p className="text-12 text-ink-2">{t('form.properties_about')}</p>
        <PropertyFields all={draft.properties} onChange={(properties) => change({ properties })} />
      </Part>
      {trouble && <Callout tone="danger">{t(`form.${trouble}`)}</Callout>}
      {error !== null && (
        <Callout tone="danger" title={t('errors.creation_failed')}>
          {t('errors.create', { message: errorText(t, error) })}
        </Callout>
      )}
      <div className="flex justify-end gap-2">
        {!isFirst && <Button onClick={onCancel}>{t('common:actions.cancel')}</Button>}
        <Button type="submit" variant="primary" disabled={draft.name.trim() === '' || isPending}>
          {t('form.create')}
        </Button>
      </div>
    </form>
  )
}

type PartProps = { title: string; action: string; onAdd: () => void; children: React.ReactNode }

function Part({ title, action, onAdd, children }: PartProps) {
  return (
    <section aria-label={title} className="grid gap-2.5 border-t border-line pt-4">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-14 font-semibold">{title}</h3>
        <Button size="sm" icon={<Plus aria-hidden className="icon-14" />} onClick={onAdd}>
          {action}
        </Button>
      </div>
      {children}
    </section>
  )
}
