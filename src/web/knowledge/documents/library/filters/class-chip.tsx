import { useOwnClasses } from '../../../../models/data-classes/data-classes.tsx'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import type { LibraryFilter } from '../library-filter.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { filter: LibraryFilter; change: (part: Partial<LibraryFilter>) => void }

/** Filters by the class of data that counts, once a provider may not receive every class. */
export function ClassChip({ filter: { dataClass }, change }: Props) {
  const { t } = useTranslation('data_classes')
  const { data } = useOwnClasses()
  const classes = data?.items ?? []
  if (!data?.is_restricted && !dataClass) return null
  return (
    <FilterChip
      name={t('filter')}
      value={dataClass && (classes.find(({ id }) => id === dataClass)?.name ?? '…')}
      onClear={() => change({ dataClass: null })}
      entries={classes.map(({ id, name }) => ({
        key: id,
        label: name,
        checked: id === dataClass,
        onSelect: () => change({ dataClass: id }),
      }))}
    />
  )
}
