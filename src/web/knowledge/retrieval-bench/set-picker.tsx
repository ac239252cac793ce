import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type BenchSet, removeBenchSet } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { readAgain } from './use-retrieval-bench.ts'

type Props = { sets: BenchSet[]; set: BenchSet; onChoose: (id: string) => void; onNew: () => void }

/** Selects, creates or deletes a set of questions. */
export function SetPicker({ sets, set, onChoose, onNew }: Props) {
  const { t } = useTranslation('admin')
  const [isAsked, setAsked] = useState(false)
  const remove = useAction(
    () => call(removeBenchSet, { params: { benchSetId: set.id } }),
    () => {
      setAsked(false)
      void readAgain()
    },
  )
  return (
    <div className="flex items-center gap-2">
      <Select
        aria-label={t('debug.bench.set')}
        className="min-w-0 flex-1"
        value={set.id}
        onValueChange={onChoose}
        options={sets.map(({ id, name, cases }) => ({
          value: id,
          label: `${name} · ${t('debug.bench.questions', { count: cases, number: formatNumber(cases) })}`,
        }))}
      />
      <IconButton name={t('debug.bench.new_set')} onClick={onNew}>
        <Plus aria-hidden className="icon" />
      </IconButton>
      <IconButton
        variant="danger"
        name={t('debug.bench.delete_set', { name: set.name })}
        onClick={() => setAsked(true)}
      >
        <Trash2 aria-hidden className="icon" />
      </IconButton>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('debug.bench.delete_set_title', { name: set.name })}
        message={
          <>
            {t('debug.bench.delete_set_text')}
            {remove.error !== null && (
              <span role="alert" className="mt-2 block text-danger">
                {errorText(t, remove.error)}
              </span>
            )}
          </>
        }
        confirmLabel={t('models.delete')}
        busy={remove.isPending}
        onConfirm={() => void remove.run()}
      />
    </div>
  )
}
