import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { DataType, Integration } from '#shared/knowledge/vector-db/vector-db.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import type { PropertyDraft, VectorizerDraft } from './collection-draft.ts'

type Fields<One> = { all: One[]; onChange: (all: One[]) => void }

/** The named vectors of a collection, one per row. */
export function VectorizerFields({ all, onChange }: Fields<VectorizerDraft>) {
  const { t } = useTranslation('vectors')
  return all.map((one, at) => {
    const set = (more: Partial<VectorizerDraft>) => onChange(all.with(at, { ...one, ...more }))
    return (
      <Row
        key={one.key}
        name={t('form.vector_at', { at: at + 1 })}
        remove={t('form.remove_vector', { at: at + 1 })}
        onRemove={() => onChange(all.filter((_, other) => other !== at))}
      >
        <Field label={t('form.name')}>
          <Input value={one.name} onChange={(event) => set({ name: event.target.value })} />
        </Field>
        <Field label={t('form.vector_type')}>
          <Select
            value={one.vector_type}
            onValueChange={(value) => set({ vector_type: value as VectorizerDraft['vector_type'] })}
            options={['single', 'multi'].map((value) => ({ value, label: t(`form.types.${value}`) }))}
          />
        </Field>
        <Field label={t('form.integration')}>
          <Select
            value={one.integration_type}
            onValueChange={(value) => set({ integration_type: value as VectorizerDraft['integration_type'] })}
            options={Integration.options.map((value) => ({ value, label: value || t('form.custom') }))}
          />
        </Field>
        <Field label={t('form.vector_model')}>
          <Input value={one.model_name} onChange={(event) => set({ model_name: event.target.value })} />
        </Field>
        <Field label={t('form.dimensions')}>
          <Input
            type="number"
            min={1}
            value={one.numbers}
            onChange={(event) => set({ numbers: event.target.value })}
          />
        </Field>
        <Field label={t('form.source')}>
          <Input value={one.source} onChange={(event) => set({ source: event.target.value })} />
        </Field>
      </Row>
    )
  })
}

/** The properties of a collection's objects, one per row. */
export function PropertyFields({ all, onChange }: Fields<PropertyDraft>) {
  const { t } = useTranslation('vectors')
  return all.map((one, at) => {
    const set = (more: Partial<PropertyDraft>) => onChange(all.with(at, { ...one, ...more }))
    return (
      <Row
        key={one.key}
        name={t('form.property_at', { at: at + 1 })}
        remove={t('form.remove_property', { at: at + 1 })}
        onRemove={() => onChange(all.filter((_, other) => other !== at))}
      >
        <Field label={t('form.name')}>
          <Input value={one.name} onChange={(event) => set({ name: event.target.value })} />
        </Field>
        <Field label={t('form.data_type')}>
          <Select
            value={one.data_type}
            onValueChange={(value) => set({ data_type: value as PropertyDraft['data_type'] })}
            options={DataType.options.map((value) => ({ value, label: value }))}
          />
        </Field>
        <Field label={t('form.description')}>
          <Input value={one.description} onChange={(event) => set({ description: event.target.value })} />
        </Field>
        <Checkbox
          className="self-end pb-1.5"
          label={t('form.filterable')}
          checked={one.index_filterable}
          onCheckedChange={(index_filterable) => set({ index_filterable })}
        />
        <Checkbox
          className="self-end pb-1.5"
          label={t('form.searchable')}
          checked={one.index_searchable}
          onCheckedChange={(index_searchable) => set({ index_searchable })}
        />
      </Row>
    )
  })
}

type RowProps = { name: string; remove: string; onRemove: () => void; children: ReactNode }

function Row({ name, remove, onRemove, children }: RowProps) {
  return (
    <fieldset aria-label={name} className="flex items-start gap-2 rounded-card border border-line p-3">
      <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-2 xl:grid-cols-6">{children}</div>
      <IconButton size="sm" name={remove} onClick={onRemove}>
        <X aria-hidden className="icon-14" />
      </IconButton>
    </fieldset>
  )
}
