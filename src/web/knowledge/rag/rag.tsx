import { useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { useBroughtUp } from '../search/search.tsx'
import { RagControls } from './rag-controls.tsx'
import { emptyRag, problemOf, requestOf } from './rag-form.ts'
import { chosenOf, providersOf } from './rag-models.ts'
import { RagResults } from './rag-results.tsx'
import { RagStages } from './rag-stages.tsx'
import { useModels, useRag } from './use-rag.ts'

type Props = {
  documentId: string
  collections: readonly { name: string; object_count: number }[]
  /** Undefined while the collections are loading; then whether they could be loaded. */
  areKnown: boolean | undefined
}

/** Manual questions to the library: parameters at the left, the result of every stage at the right. */
export default function RagPanel({ documentId, collections, areKnown }: Props) {
  const { t } = useTranslation('vectors')
  const [form, setForm] = useState(emptyRag)
  const [isTold, setTold] = useState(false)
  const { available, isKnown } = useModels()
  const providers = providersOf(isKnown ? available : [])
  const { models, ...chosen } = chosenOf(providers, form, available)
  const { progress, ask, stop } = useRag()
  const problem = problemOf(form)
  const submit = () => {
    setTold(true)
    if (problem === null) void ask(requestOf({ ...form, ...chosen }, documentId))
  }
  const { status, error } = progress
  const shown = useBroughtUp(status === 'loading')
  const known = t(`common:errors.${error.code}`, { defaultValue: '' })
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[320px_minmax(0,1fr)]">
      <RagControls
        form={{ ...form, ...chosen }}
        {...{ collections, areKnown, providers, models, problem: isTold ? problem : null }}
        isPending={status === 'loading'}
        onChange={(more) => setForm({ ...form, ...more })}
        onSubmit={submit}
        onStop={stop}
      />
      <section
        ref={shown}
        aria-label={t('rag.result')}
        aria-busy={status === 'loading'}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
      >
        {status === 'idle' ? (
          <EmptyState title={t('rag.idle')}>{t('rag.idle_about')}</EmptyState>
        ) : (
          <>
            <RagStages progress={progress} />
            {status === 'error' && (
              <Callout tone="danger">{known || error.detail || t('rag.failed')}</Callout>
            )}
            <RagResults progress={progress} />
          </>
        )}
      </section>
    </div>
  )
}
