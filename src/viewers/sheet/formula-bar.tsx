import { type FormEvent, useEffect, useState } from 'react'
import type { BlockCell } from '#shared/knowledge/documents/kept-files.ts'
import { type Area, parseRange, rangeName } from '#shared/knowledge/documents/ranges.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import type { Show } from './show-value.ts'

type FormulaBarProps = {
  area: Area
  cell: BlockCell | undefined
  show: Show
  onRange: (area: Area) => void
}

/** Shows the selected range and the content of its first cell: formula and result, or its full text. */
export function FormulaBar({ area, cell, show, onRange }: FormulaBarProps) {
  const { t } = useTranslation('documents')
  const name = rangeName(area)
  const [written, setWritten] = useState(name)
  useEffect(() => setWritten(name), [name])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const range = parseRange(written.trim())
    if (range) onRange(range)
    else setWritten(name)
  }
  const value = cell ? show(cell) : ''
  const [content, result] = cell?.f === undefined ? [value, ''] : [`=${cell.f}`, value]
  return (
    <form className="formula-bar" onSubmit={onSubmit}>
      <input
        aria-label={t('viewer.sheet.range')}
        value={written}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setWritten(event.target.value)}
        onBlur={() => setWritten(name)}
      />
      <i aria-hidden>{t('viewer.sheet.function')}</i>
      <output
        aria-label={t('viewer.sheet.content')}
        data-formula={cell?.f !== undefined || undefined}
        title={content}
      >
        {content}
      </output>
      {result && (
        <span className="result" title={result}>
          {t('viewer.sheet.result')} <b className="num">{result}</b>
        </span>
      )}
      {cell && <span className="kind">{t(`viewer.sheet.kind.${cell.t}`)}</span>}
    </form>
  )
}
