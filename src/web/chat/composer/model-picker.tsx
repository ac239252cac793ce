import { ChevronDown, Columns2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { useCompared } from './compared.ts'
import { ModelChoice } from './lazy-model-choice.tsx'
import { useModel } from './use-model.ts'

const CompareList = lazy(() => import('./compare-list.tsx'))

/** Selects the model of the next replies, with price and destination of text. */
export function ModelPicker({
  sessionId,
  modelName,
}: {
  sessionId: string | null
  modelName: string | null
}) {
  const { t } = useTranslation('streaming_blocks')
  const [isOpen, setOpen] = useState(false)
  const { models, current, choose } = useModel(sessionId, modelName)
  const compared = useCompared(sessionId)
  const isMany = compared.length > 1
  const [isComparing, setComparing] = useState(false)
  const [mayChoose, mayCompare] = [useIsOpen('model_picker'), useIsOpen('compare_models')]
  const one = current?.name ?? (modelName === null ? t('model.none') : modelLabel(modelName, t))
  const label = isMany ? t('comparison.count', { count: compared.length }) : one
  if (!mayChoose) return null
  return (
    <Popover
      name={t('model.choose')}
      side="top"
      align="end"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        setComparing(open && isMany)
      }}
      className="w-[386px] !p-0"
      trigger={
        <Button variant="ghost" aria-label={t('model.button', { model: label })} className="min-w-0 max-w-52">
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden className="icon-14" />
        </Button>
      }
    >
      {isComparing && sessionId ? (
        <Suspense fallback={<div className="h-80" />}>
          <CompareList sessionId={sessionId} modelName={modelName} onDone={() => setOpen(false)} />
        </Suspense>
      ) : (
        <>
          <ModelChoice
            modelName={modelName}
            note={t('model.next_note')}
            onChoose={(id) => {
              setOpen(false)
              void choose(id)
            }}
          />
          {sessionId && mayCompare && models.length > 1 && (
            <div className="border-t border-line p-2">
              <Button
                variant="ghost"
                wide
                icon={<Columns2 aria-hidden className="icon" />}
                onClick={() => setComparing(true)}
              >
                {t('comparison.start')}
              </Button>
            </div>
          )}
        </>
      )}
    </Popover>
  )
}
