import { X } from 'lucide-react'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { type FilterName, filterNames, type SearchFilter } from './filter.ts'

type FilterChipsProps = {
  filter: SearchFilter
  people: ReadonlyMap<string, string>
  /** Name of the chosen project; null while unknown. */
  projectName: string | null
  onChange: (changes: { [K in FilterName]?: undefined }) => void
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ filter, people, projectName, onChange }: FilterChipsProps) {
  const { t } = useTranslation('search')
  const active = filterNames.filter((name) => filter[name])
  if (active.length === 0) return null
  const shownValue = (name: FilterName): string => {
    const value = filter[name] ?? ''
    if (name === 'type') return t(`kinds.${value}`)
    if (name === 'project') return projectName ?? t('one_project')
    if (name === 'person') return people.get(value) ?? t('one_person')
    if (name === 'from' || name === 'to') return formatDate(`${value}T00:00:00`)
    return name === 'model' ? modelLabel(value, t) : value
  }
  return (
    <ul aria-label={t('active')} className="flex flex-wrap gap-2">
      {active.map((name) => (
        <li key={name}>
          <button
            type="button"
            data-chip={name}
            className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-pill bg-accent-soft pr-2 pl-3 text-12 font-medium text-accent max-md:h-9"
            aria-label={t('remove', { filter: `${t(`filter.${name}`)} ${shownValue(name)}` })}
            onClick={() => onChange({ [name]: undefined })}
          >
            <span className="truncate">
              {t(`filter.${name}`)} {shownValue(name)}
            </span>
            <X aria-hidden className="icon-12 flex-none" />
          </button>
        </li>
      ))}
    </ul>
  )
}
