import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { useState } from 'react'
import type { Chunk, Element, listDocumentChunks } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import type { Answer } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { Processing } from './processing.tsx'
import { StoredChunk } from './stored-chunk.tsx'

type Props = {
  answer: Answer<typeof listDocumentChunks> | undefined
  error: unknown
  /** Elements from the document's metadata, shown if its chunks cannot be loaded. */
  elements: readonly Element[] | null
  onRetry: () => void
}

type Shown = { id: string; type: string; text: string; page_number: number | null; isStored: boolean }

/** The chunks of a document, and how long splitting took. */
export function ChunksTab({ answer, error, elements, onRetry }: Props) {
  const { t } = useTranslation('vectors')
  const [wanted, setWanted] = useState('')
  const isFallback = !answer && Boolean(error)
  const all = answer ? answer.chunks.map(ofChunk) : (elements ?? []).map(ofElement)
  const trouble = isFallback && (
    <Callout
      tone="danger"
      title={t('chunks.failed')}
      action={
        <Button size="sm" onClick={onRetry}>
          {t('common:actions.retry')}
        </Button>
      }
    >
      {t('chunks.failed_hint')}
    </Callout>
  )
  if (!answer && !isFallback)
    return <Skeletons sizes={['h-16 w-full', 'h-16 w-full']} className="mt-4 grid gap-3" />
  if (isFallback && all.length === 0) return <div className="mt-4">{trouble}</div>
  const words = wanted.trim().toLowerCase()
  const found = all.filter(({ text, type }) => `${type}\n${text}`.toLowerCase().includes(words))
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[300px_minmax(0,1fr)]">
      <div className="grid content-start gap-4">
        {answer && <Processing info={answer.processing_info} />}
        <Input
          type="search"
          icon={<Search aria-hidden />}
          aria-label={t('chunks.search')}
          placeholder={t('chunks.search')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
        {trouble}
        <p role="status" className="text-13 font-medium">
          {t('chunks.found', { found: found.length, all: answer?.total ?? all.length })}
          {isFallback && <span className="font-regular text-ink-2"> {t('chunks.fallback')}</span>}
        </p>
        {found.length > 0 && (
          <ol aria-label={t('debug.chunks')} className="divide-y divide-line rounded-card border border-line">
            {found.map((chunk) => (
              <ChunkRow key={chunk.id} chunk={chunk} number={all.indexOf(chunk) + 1} />
            ))}
          </ol>
        )}
      </div>
    </div>
  )
}

const ofChunk = ({ id, type, text, page_number }: Chunk): Shown => ({
  ...{ id, type, text, page_number, isStored: true },
})

const ofElement = ({ element_id, type, text, metadata }: Element): Shown => ({
  ...{ id: element_id, type, text, page_number: metadata.page_number, isStored: false },
})

function ChunkRow({ chunk, number }: { chunk: Shown; number: number }) {
  const { t } = useTranslation('vectors')
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <li className="min-w-0">
      <div className="flex min-h-11 items-center gap-3 px-3 text-13">
        <span className="num w-8 flex-none font-medium">{number}</span>
        <span className="w-28 flex-none truncate text-ink-2 max-md:hidden">{chunk.type}</span>
        {chunk.page_number !== null && (
          <span className="num flex-none text-ink-2">{t('page', { page: chunk.page_number })}</span>
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {chunk.text}
        </span>
        <IconButton
          size="sm"
          aria-expanded={isOpen}
          name={t(isOpen ? 'chunks.close' : 'chunks.open', { number })}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron aria-hidden className="icon" />
        </IconButton>
      </div>
      {isOpen && <StoredChunk {...chunk} />}
    </li>
  )
}
