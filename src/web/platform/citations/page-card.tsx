import { ArrowUpRight, Globe } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import type { CitedPage } from './cited.ts'
import { FloatingCard } from './floating-card.tsx'
import { hostOf } from './page-host.ts'

type PageCardProps = {
  anchor: RefObject<HTMLElement | null>
  page: CitedPage
  name: string
  /** Element id of its quote. */
  quote: string
}

/** A cited web page: its title, its host, and the relevant text. */
export default function PageCard({ anchor, page: { url, title, snippet }, name, quote }: PageCardProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <FloatingCard anchor={anchor} name={name}>
      <span className="passage-head">
        <Globe aria-hidden className="icon-14 flex-none text-ink-3" />
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
      </span>
      <span className="mt-0.5 block truncate text-12 text-ink-2">{hostOf(url)}</span>
      {snippet !== '' && (
        <span id={quote} className="passage-words">
          <q className="passage-quote">{t('citation.quote', { text: snippet })}</q>
        </span>
      )}
      <span className="passage-foot">
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1 text-13 font-medium text-accent hover:underline"
        >
          {t('citation.open_page')}
          <ArrowUpRight aria-hidden className="icon-14" />
        </a>
        <CopyButton name={t('citation.copy_address')} size="sm" read={() => url} />
      </span>
    </FloatingCard>
  )
}
