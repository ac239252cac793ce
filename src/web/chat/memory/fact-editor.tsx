import { useMutation, useQuery } from '@tanstack/react-query'
import { History, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Fact, MAX_FACT } from '#shared/chat/memory/fact.ts'
import { changeFact, countTraces } from '#shared/chat/memory/memory.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { SourceLine } from './fact-row.tsx'
import { refusalText } from './refusal-text.ts'
import { refreshMemory } from './use-chat-memory.ts'

type FactEditorProps = { fact: Fact; onDelete: () => void; onClose: () => void }

/** Changes the text of a fact, and shows its history and where else it stands. */
export function FactEditor({ fact, onDelete, onClose }: FactEditorProps) {
  const { t } = useTranslation('memory')
  const [text, setText] = useState(fact.text)
  const traces = useQuery({
    queryKey: ['memory', 'traces', fact.id],
    queryFn: ({ signal }) => call(countTraces, { params: { factId: fact.id }, signal }),
  })
  const saving = useMutation({
    mutationFn: () => call(changeFact, { params: { factId: fact.id }, body: { text } }),
    onSuccess: async () => {
      await refreshMemory()
      onClose()
    },
  })
  const isEmpty = text.trim() === ''
  return (
    <li className="bg-accent-soft/45">
      <form
        className="grid gap-2.5 px-4 py-3.5 max-md:px-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty && !saving.isPending) saving.mutate()
        }}
      >
        <Input
          autoFocus
          maxLength={MAX_FACT}
          aria-label={t('fact')}
          aria-invalid={saving.isError}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && onClose()}
        />
        <SourceLine fact={fact} />
        {fact.history.map(({ text: before, learned_at, replaced_at }) => (
          <p key={replaced_at} className="flex gap-1.5 text-12 text-ink-3">
            <History aria-hidden className="mt-0.5 size-3 flex-none" />
            <span className="wrap-anywhere">
              {t('before', { text: before, from: formatDate(learned_at), to: formatDate(replaced_at) })}
            </span>
          </p>
        ))}
        {saving.isError && (
          <p role="alert" className="text-12 text-danger">
            {refusalText(t, saving.error)}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-h-4 min-w-0 flex-1 basis-60 text-12 text-ink-2">
            {traces.data &&
              traces.data.summaries + traces.data.working_memories > 0 &&
              t('traces', {
                summaries: t('summaries', { count: traces.data.summaries }),
                memories: t('working_memories', { count: traces.data.working_memories }),
              })}
          </p>
          <Button
            size="sm"
            variant="danger-ghost"
            icon={<Trash2 aria-hidden className="icon-14" />}
            onClick={onDelete}
          >
            {t('delete_traces')}
          </Button>
          <Button size="sm" variant="ghost" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button size="sm" type="submit" disabled={isEmpty} busy={saving.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
    </li>
  )
}
