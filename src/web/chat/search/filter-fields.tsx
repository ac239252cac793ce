import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Select, type SelectOption } from '../../platform/ui/select.tsx'
import type { FilterName, SearchFilter } from './filter.ts'
import { useFilterChoices } from './use-search.ts'

type FilterFieldsProps = {
  filter: SearchFilter
  /** Names of the people of the hits, by id. */
  people: ReadonlyMap<string, string>
  onChange: (changes: { [K in FilterName]?: string | undefined }) => void
}

/** The fields that narrow a search: type, project, person, model, tag and days. */
export function FilterFields({ filter, people, onChange }: FilterFieldsProps) {
  const { t } = useTranslation('search')
  const { projects, tags, models } = useFilterChoices()
  const kinds = ['chat', 'document', 'prompt', 'memory'] as const
  const choices: [FilterName, SelectOption[]][] = [
    ['type', kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))],
    ['project', projects.map(({ id, name }) => ({ value: id, label: name }))],
    ['person', [...people].map(([value, label]) => ({ value, label }))],
    ['model', models.map(({ id }) => ({ value: id, label: modelLabel(id, t) }))],
    ['tag', tags.map(({ tag }) => ({ value: tag, label: tag }))],
  ]
  return (
    <fieldset aria-label={t('filters')} className="flex flex-wrap gap-2 max-md:grid max-md:grid-cols-2">
      {choices.map(([name, options]) => (
        <Select
          key={name}
          size="sm"
          quiet
          className="w-40 max-md:w-auto"
          aria-label={t(`filter.${name}`)}
          value={filter[name] ?? ''}
          options={[{ value: '', label: t(`any.${name}`) }, ...withChosen(options, filter[name])]}
          onValueChange={(value) => onChange({ [name]: value || undefined })}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <label
          key={name}
          className="flex h-7 items-center gap-1.5 rounded-control border border-line px-2 text-12 text-ink-2 max-md:h-9"
        >
          {t(`filter.${name}`)}
          <input
            type="date"
            className="min-w-0 flex-1 bg-transparent text-12 outline-none"
            value={filter[name] ?? ''}
            onChange={({ target }) => onChange({ [name]: target.value || undefined })}
          />
        </label>
      ))}
    </fieldset>
  )
}

/** A value of the address that is not among the choices stays chosen; the chip names it. */
function withChosen(options: SelectOption[], value: string | undefined): SelectOption[] {
  if (!value || options.some((option) => option.value === value)) return options
  return [...options, { value, label: '…' }]
}
