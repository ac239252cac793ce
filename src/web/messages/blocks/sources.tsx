import { useId, useState } from 'react'
import type { Source } from '#shared/runs/sources.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { safeLink } from '../../markdown/links.ts'
import { Button } from '../../ui/button.tsx'

/** So many are shown before somebody asks for the rest. */
const FEW = 5

/** What a text relies on: numbered links, each with its host. */
export default function Sources({ sources }: { sources: readonly Source[] }) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? sources : sources.slice(0, FEW)
  return (
    <section aria-labelledby={id} className="mt-4 grid justify-items-start gap-1 text-13">
      <h3 id={id} className="text-12 font-medium text-ink-3">
        {t('sources.title')}
      </h3>
      <ol className="w-full">
        {shown.map((source) => (
          <li
            key={source.id}
            className="flex min-h-7 items-baseline gap-2 max-md:min-h-11 max-md:items-center"
          >
            <span className="num min-w-5 flex-none text-right text-12 text-ink-3">{source.number}</span>
            <SourceName source={source} />
          </li>
        ))}
      </ol>
      {!isWhole && sources.length > FEW && (
        <Button variant="link" size="sm" onClick={() => setWhole(true)}>
          {t('sources.all', { count: sources.length })}
        </Button>
      )}
    </section>
  )
}

function SourceName({ source: { id, title, url, snippet } }: { source: Source }) {
  const link = url === null ? null : safeLink(url)
  const host = link && new URL(link).host.replace(/^www\./, '')
  if (!link) return <span className="min-w-0 truncate text-ink-2">{title ?? id}</span>
  return (
    <>
      <a
        href={link}
        target="_blank"
        rel="noreferrer noopener"
        title={snippet}
        className="min-w-0 truncate font-medium hover:underline"
      >
        {title ?? host}
      </a>
      {title && <span className="flex-none text-12 text-ink-3">{host}</span>}
    </>
  )
}
