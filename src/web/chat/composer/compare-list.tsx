import { MAX_COMPARED } from '#shared/chat/comparisons/comparisons.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { setCompared, useCompared } from './compared.ts'
import { useModel } from './use-model.ts'

type CompareListProps = { sessionId: string; modelName: string | null; onDone: () => void }

/** Chooses up to four models that answer the next messages side by side. */
export default function CompareList({ sessionId, modelName, onDone }: CompareListProps) {
  const { t } = useTranslation('streaming_blocks')
  const { models, current } = useModel(sessionId, modelName)
  const chosen = useCompared(sessionId)
  const shown = chosen.length > 0 || !current ? chosen : [current.id]
  const isFull = shown.length >= MAX_COMPARED
  const toggle = (id: string) =>
    setCompared(sessionId, shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id])
  return (
    <div className="p-3">
      <p className="px-1 pb-2 text-13 text-ink-2">{t('comparison.choose', { count: MAX_COMPARED })}</p>
      <fieldset aria-label={t('comparison.start')} className="max-h-[min(340px,45dvh)] overflow-y-auto">
        {models.map(({ id, name, provider_name }) => {
          const isOn = shown.includes(id)
          return (
            <label
              key={id}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-1.5 text-13 hover:bg-surface-2 has-disabled:cursor-default has-disabled:text-ink-3 max-md:min-h-11"
            >
              <input
                type="checkbox"
                checked={isOn}
                disabled={!isOn && isFull}
                onChange={() => toggle(id)}
                className="size-4 flex-none accent-(--accent)"
              />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="truncate text-12 text-ink-3">{provider_name}</span>
            </label>
          )
        })}
      </fieldset>
      <div className="flex justify-end gap-2 pt-3">
        <Button
          variant="ghost"
          onClick={() => {
            setCompared(sessionId, [])
            onDone()
          }}
        >
          {t('comparison.end')}
        </Button>
        <Button variant="primary" disabled={chosen.length < 2} onClick={onDone}>
          {t('comparison.done')}
        </Button>
      </div>
    </div>
  )
}
