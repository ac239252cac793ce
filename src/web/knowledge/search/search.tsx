import { useState } from 'react'
import { searchAndRerank } from '#shared/knowledge/search/search.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { SearchControls } from './search-controls.tsx'
import { emptySearch, requestOf } from './search-form.ts'
import { SearchResults } from './search-results.tsx'
import { SearchWhy } from './search-why.tsx'
import { useBroughtUp, useRerankers } from './use-search.ts'

export { useBroughtUp, useRerankers }

type Props = {
  documentId: string
  /** Passages of that document. */
  chunks: readonly { id: string; text: string }[]
  collections: readonly { name: string }[]
  /** Why the collections could not be loaded. */
  collectionsError: unknown
}

/** Manual search and reranking: parameters at the left, results at the right. */
export function SearchPanel({ documentId, chunks, collections, collectionsError }: Props) {
  const { t } = useTranslation('vectors')
  const [form, setForm] = useState(emptySearch)
  const known = useRerankers()
  const isKnown = known.rerankers.length === 0 || known.rerankers.some(({ name }) => name === form.reranker)
  // If the preferred one is missing, the first one is used.
  const ready = {
    ...form,
    reranker: form.reranker && !isKnown ? (known.rerankers[0]?.name ?? '') : form.reranker,
  }
  const { run, isPending, data, error } = useAction(async () => {
    const request = requestOf(ready, documentId)
    return { request, answer: await call(searchAndRerank, { body: request }) }
  })
  const shown = useBroughtUp(isPending)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[320px_minmax(0,1fr)]">
      <SearchControls
        {...{ form: ready, collections, collectionsError, known, isPending }}
        onChange={(more) => setForm({ ...form, ...more })}
        onSearch={() => void run()}
      />
      <section ref={shown} aria-label={t('search.results')} aria-busy={isPending} className="min-w-0">
        {isPending && <Skeletons sizes={['h-20 w-full', 'h-20 w-full', 'h-20 w-full']} />}
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
        {data && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <SearchResults answer={data.answer} />
            <SearchWhy key={JSON.stringify(data.request)} {...{ request: data.request, chunks }} />
          </div>
        )}
        {!isPending && !data && error === null && (
          <EmptyState title={t('search.idle')}>{t('search.idle_about')}</EmptyState>
        )}
      </section>
    </div>
  )
}
