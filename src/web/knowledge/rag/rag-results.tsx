import { useMemo } from 'react'
import type { RagAnswer } from '#shared/knowledge/rag/rag.ts'
import { plainCitations } from '#shared/platform/citations/citation-tags.ts'
import { CitedText } from '../../platform/citations/cited-text.tsx'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { LeftOutLines } from './left-out-lines.tsx'
import { RagFold } from './rag-fold.tsx'
import type { RagProgress } from './rag-progress.ts'
import { RagSources } from './rag-sources.tsx'

/** The answer while it is written, then with its sources, its prompt and its metadata. */
export function RagResults({ progress }: { progress: RagProgress }) {
  const { t } = useTranslation('vectors')
  const { answer, status } = progress
  const text = answer?.answer ?? progress.text
  const sources = useMemo(() => new Map(answer?.sources.map((source) => [source.chunk_id, source])), [answer])
  return (
    <>
      {text !== '' && (
        <article
          aria-label={t('rag.answer')}
          className="rounded-card border border-line bg-raised px-4.5 py-4"
        >
          <div className="mb-2 flex min-h-7 items-center text-12 font-medium text-ink-2">
            {t('rag.answer')}
            {answer && (
              <CopyButton
                size="sm"
                className="ml-auto"
                name={t('rag.copy')}
                read={() => plainCitations(answer.answer)}
              />
            )}
          </div>
          <CitedText
            text={text}
            passages={sources}
            doubts={answer?.doubts}
            growing={status === 'loading'}
            className="text-15"
          />
          {answer && <LeftOutLines {...answer.left_out} />}
        </article>
      )}
      {answer && <Evidence answer={answer} />}
    </>
  )
}

function Evidence({ answer }: { answer: RagAnswer }) {
  const { t } = useTranslation('vectors')
  const { sources, processed_citations: cited, prompt, generation_results } = answer
  const { answer: _text, sources: _sources, prompt: _prompt, ...known } = answer
  return (
    <>
      <RagSources sources={sources} processed_citations={cited} />
      {cited.length > 0 && (
        <RagFold title={t('rag.citations')} note={t('rag.cited', { count: cited.length })}>
          <ol className="grid gap-3">
            {cited.map(({ number, chunk_id, text }) => (
              <li key={chunk_id} className="grid grid-cols-[20px_minmax(0,1fr)] gap-2 text-13">
                <span className="num text-ink-2">{number}</span>
                <span dir="auto" className="break-words whitespace-pre-wrap">
                  {text}
                  <span className="block font-mono text-11 text-ink-3">{chunk_id}</span>
                </span>
              </li>
            ))}
          </ol>
        </RagFold>
      )}
      {prompt !== '' && (
        <RagFold
          title={t('rag.prompt')}
          note={t('rag.prompt_note', {
            count: sources.length,
            tokens: formatNumber(generation_results.input_tokens),
          })}
        >
          <Raw>{prompt}</Raw>
        </RagFold>
      )}
      <RagFold title={t('debug.metadata')} note={t('rag.metadata_note')}>
        <Raw>{JSON.stringify(known, null, 2)}</Raw>
      </RagFold>
    </>
  )
}

const Raw = ({ children }: { children: string }) => (
  <pre className="max-h-100 overflow-auto rounded-control bg-surface-2 p-3 text-12 break-words whitespace-pre-wrap">
    {children}
  </pre>
)
