import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { ModelChoice } from './lazy-model-choice.tsx'
import { useModel } from './use-model.ts'

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
  const { current, choose } = useModel(sessionId, modelName)
  const label = current?.name ?? (modelName === null ? t('model.none') : modelLabel(modelName, t))
  return (
    <Popover
      name={t('model.choose')}
      side="top"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-[386px] !p-0"
      trigger={
        <Button variant="ghost" aria-label={t('model.button', { model: label })} className="min-w-0 max-w-52">
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden className="icon-14" />
        </Button>
      }
    >
      <ModelChoice
        modelName={modelName}
        note={t('model.next_note')}
        onChoose={(id) => {
          setOpen(false)
          void choose(id)
        }}
      />
    </Popover>
  )
}
