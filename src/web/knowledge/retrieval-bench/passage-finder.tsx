import { Plus, Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ExpectedPassage } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { searchAndRerank } from '#shared/knowledge/search/search.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'

type Props = {
  /** Initial query. */
  first: string
  taken: string[]
  onTake: (passage: ExpectedPassage) => void
}

/** Searches passages of the library for expectations, within the caller's access. */
export function PassageFinder({ first, taken, onTake }: Props) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState<string | null>(null)
  const query = (typed ?? first).trim()
  const { run, isPending, data, error } = useAction(() =>
    call(searchAndRerank, { body: { query, limit: 20 } }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query !== '') void run()
  }
  const found = data?.objects.filter(({ id }) => !taken.includes(id))
  return (
    <section aria-label={t('debug.bench.finder')} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <Field label={t('debug.bench.finder')} className="min-w-0 flex-1 basis-60">
          <Input
            icon={<Search aria-hidden />}
            maxLength={4_000}
            value={typed ?? first}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <Button type="submit" busy={isPending} disabled={query === ''}>
          {t('debug.bench.search_passages')}
        </Button>
      </form>
      {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      {found?.length === 0 && <p className="text-13 text-ink-2">{t('debug.bench.nothing_found')}</p>}
      {found && found.length > 0 && (
        <ul className="rounded-card border border-line">
          {found.map(({ id, content, properties: { file_name } }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3 text-13 first:border-0"
            >
              <span className="min-w-0 flex-1 basis-60">
                <span className="line-clamp-2">{content}</span>
                <span className="block truncate text-12 text-ink-2">{file_name}</span>
              </span>
              <Button
                size="sm"
                icon={<Plus aria-hidden className="icon" />}
                onClick={() =>
                  onTake({ chunk_id: id, grade: 'answers', text: content, document_name: file_name })
                }
              >
                {t('debug.bench.expect')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
