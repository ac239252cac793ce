import { Link } from '@tanstack/react-router'
import { BookMarked, Download, Plus, RotateCcw, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { ListedPrompt } from '#shared/chat/prompts/prompts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { DeletePrompt } from '../delete-prompt.tsx'
import { exportToFile } from '../prompt-actions.ts'
import { usePromptList } from '../use-prompts.ts'
import { ImportPrompts, type ImportResult } from './import-prompts.tsx'
import { PromptRow } from './prompt-row.tsx'

/** The prompts a person may use, with a search by name and command. */
export function PromptsView() {
  const { t } = useTranslation('prompts')
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { items, total, isError, refetch, more } = usePromptList(q)
  const [doomed, setDoomed] = useState<ListedPrompt | null>(null)
  const [imported, setImported] = useState<ImportResult | null>(null)
  return (
    <View
      title={t('title')}
      badges={items && <span className="num text-13 text-ink-3">{total}</span>}
      actions={
        <>
          <ImportPrompts onDone={setImported} />
          <IconButton name={t('transfer.export_all')} onClick={() => void exportToFile(t)}>
            <Download aria-hidden className="icon" />
          </IconButton>
          <Link to="/prompts/create" className={buttonLook({ variant: 'primary' })} aria-label={t('new')}>
            <Plus aria-hidden className="icon" />
            <span className="max-md:sr-only">{t('new')}</span>
          </Link>
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[880px] grid-cols-1 gap-3 px-8 py-6 max-md:px-4">
          <Input
            type="search"
            quiet
            maxLength={100}
            icon={<Search aria-hidden />}
            aria-label={t('search')}
            placeholder={t('search')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {imported && (
            <Callout tone={'done' in imported ? 'success' : 'danger'}>
              {'done' in imported ? imported.done : imported.trouble}
            </Callout>
          )}
          {!items && !isError && (
            <Skeletons className="grid gap-2" sizes={['h-16 w-full', 'h-16 w-full', 'h-16 w-full']} />
          )}
          {!items && isError && (
            <Callout
              tone="danger"
              action={
                <Button
                  size="sm"
                  icon={<RotateCcw aria-hidden className="icon-14" />}
                  onClick={() => void refetch()}
                >
                  {t('common:actions.retry')}
                </Button>
              }
            >
              {t('load_failed')}
            </Callout>
          )}
          {items && items.length > 0 && (
            <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line">
              {items.map((prompt) => (
                <PromptRow key={prompt.id} prompt={prompt} onDelete={() => setDoomed(prompt)} />
              ))}
            </ul>
          )}
          {items && items.length === 0 && (
            <EmptyState icon={<BookMarked aria-hidden />} title={q ? t('no_hit', { query: q }) : t('empty')}>
              {q ? undefined : t('empty_text')}
            </EmptyState>
          )}
          {more && (
            <Button className="justify-self-center" busy={more.isLoading} onClick={more.load}>
              {t('more')}
            </Button>
          )}
        </div>
      </div>
      <DeletePrompt prompt={doomed} onClose={() => setDoomed(null)} />
    </View>
  )
}
