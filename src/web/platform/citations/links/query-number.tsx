import { use, useRef } from 'react'
import type { CitedQuery } from '#shared/platform/citations/passages.ts'
import { formatTime } from '../../i18n/format.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { openPanel } from '../../lib/chat-panel.ts'
import { LinkContext } from '../../markdown/context.ts'
import { Button } from '../../ui/button.tsx'
import { FloatingCard } from '../floating-card.tsx'
import { InBrackets } from '../in-brackets.tsx'
import { useFloating } from '../use-floating.ts'

type QueryNumberProps = {
  /** The execution that stores the rows. */
  id: string
  number: number
  query: CitedQuery
}

/** The number of a cited query. It opens the panel with query, time and rows; a card shows the query on hover and focus. */
export default function QueryNumber({ id, number, query }: QueryNumberProps) {
  const { t } = useTranslation('streaming_blocks')
  const isInLink = use(LinkContext)
  const button = useRef<HTMLButtonElement>(null)
  const { root, isOpen, setOpen, events } = useFloating()
  if (isInLink) return <InBrackets number={number} />
  const { database, sql, read_at, rows } = query
  const time = formatTime(new Date(read_at))
  const name = t('citation.query', { number, database, time })
  const open = () => {
    setOpen(false)
    openPanel('artifact', id)
  }
  return (
    <span ref={root} className="cite-root" {...events}>
      <button
        ref={button}
        type="button"
        aria-label={name}
        className="cite"
        data-open={isOpen || undefined}
        onClick={open}
      >
        <InBrackets number={number} />
      </button>
      {isOpen && (
        <FloatingCard anchor={button} name={name}>
          <span className="passage-head">
            <span className="min-w-0 flex-1 truncate font-medium">{database}</span>
          </span>
          <span className="num mt-0.5 block text-12 text-ink-2">
            {time} · {t('citation.query_rows', { count: rows })}
          </span>
          <span className="mt-2 line-clamp-6 block font-mono text-12 leading-[18px] wrap-anywhere">
            {sql}
          </span>
          <span className="passage-foot">
            <Button variant="link" size="sm" onClick={open}>
              {t('citation.open_query')}
            </Button>
          </span>
        </FloatingCard>
      )}
    </span>
  )
}
