import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { languageName } from '../filter-choices.ts'
import type { LibraryFilter } from '../library-filter.ts'
import { useLibraryState } from '../use-library.ts'
import { FilterChip } from './filter-chip.tsx'

type Props = { filter: LibraryFilter; change: (part: Partial<LibraryFilter>) => void }

/** Filters by a language in use. */
export function LanguageChip({ filter: { language }, change }: Props) {
  const { t } = useTranslation('documents')
  const { data } = useLibraryState()
  const known = data?.languages ?? []
  const choices = language && !known.includes(language) ? [language, ...known] : known
  if (choices.length === 0) return null
  return (
    <FilterChip
      name={t('filter.language')}
      value={language && languageName(language)}
      onClear={() => change({ language: null })}
      entries={choices.map((code) => ({
        key: code,
        label: languageName(code),
        checked: code === language,
        onSelect: () => change({ language: code }),
      }))}
    />
  )
}
