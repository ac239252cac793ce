import { useState } from 'react'
import type { ObjectVectors } from '#shared/knowledge/vector-db/vector-db.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'

/** Maximum numbers shown of a vector. */
const SHOWN = 50

/** The vectors of an object by name, shown on request. */
export function VectorValues({ vectors }: { vectors: ObjectVectors | null }) {
  const { t } = useTranslation('vectors')
  const [isShown, setShown] = useState(false)
  if (!vectors) return <p className="text-12 text-ink-2">{t('objects.no_vectors')}</p>
  const named: [string, number[] | number[][]][] = Array.isArray(vectors)
    ? [[t('objects.vector'), vectors]]
    : Object.entries(vectors)
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-12 font-medium text-ink-2">{t('objects.vectors')}</h3>
        <Button size="sm" variant="ghost" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t(isShown ? 'objects.hide' : 'objects.show')}
        </Button>
      </div>
      {isShown &&
        named.map(([name, value]) => (
          <div key={name}>
            <div className="mb-1 font-mono text-12">{name}</div>
            {rowsOf(value).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: vectors of an object have only their place.
              <div key={at} className="mb-1 rounded-control bg-surface-2 p-2.5 font-mono text-12 break-words">
                {write(row, (count) => t('objects.more_numbers', { count }))}
              </div>
            ))}
          </div>
        ))}
    </div>
  )
}

const rowsOf = (value: number[] | number[][]): number[][] =>
  Array.isArray(value[0]) ? (value as number[][]) : [value as number[]]

function write(numbers: number[], more: (count: number) => string): string {
  const shown = numbers.slice(0, SHOWN).map((number) => number.toFixed(4))
  const rest = numbers.length - SHOWN
  return `[${[...shown, ...(rest > 0 ? [more(rest)] : [])].join(', ')}]`
}
