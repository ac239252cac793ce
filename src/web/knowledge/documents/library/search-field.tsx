import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'

/** Debounce of the search. */
const SETTLED_MS = 250

type Props = { query: string; name: string | null; onChange: (query: string) => void; className?: string }

/** Search by names and contents: the text shows immediately, and the address follows after the debounce. */
export function SearchField({ query, name, onChange, className }: Props) {
  const { t } = useTranslation('documents')
  const [typed, setTyped] = useState(query)
  const asked = useRef(query)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    // The address was changed otherwise: a cleared filter, or back navigation.
    if (query !== asked.current) setTyped(query)
    asked.current = query
  }, [query])
  useEffect(() => {
    if (typed.trim() === asked.current) return
    const timer = setTimeout(() => {
      asked.current = typed.trim()
      change.current(asked.current)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const words = name ? t('search_in', { name }) : t('search')
  return (
    <Input
      type="search"
      data-tour="document-search"
      quiet
      icon={<Search aria-hidden />}
      aria-label={words}
      placeholder={t('search')}
      maxLength={200}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      className={className}
      end={
        typed && (
          <IconButton name={t('search_clear')} size="xs" className="-mr-1" onClick={() => setTyped('')}>
            <X aria-hidden className="icon-14" />
          </IconButton>
        )
      }
    />
  )
}
