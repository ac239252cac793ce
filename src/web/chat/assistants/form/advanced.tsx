import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field, useFieldControl } from '../../../platform/ui/field.tsx'
import type { SectionProps } from './draft.ts'
import { ToolPolicies } from './tool-policies.tsx'

/** Rarely needed settings: the temperature, and when each tool runs. */
export function Advanced({ assistant, draft, change }: SectionProps & { assistant: Assistant | null }) {
  const { t } = useTranslation('assistant')
  const { temperature } = draft
  return (
    <>
      <Field
        label={t('advanced.temperature')}
        aside={
          <span className="num text-ink-2">
            {temperature === null ? t('advanced.model_decides') : formatNumber(temperature)}
          </span>
        }
        hint={t('advanced.temperature_hint')}
      >
        <Range
          value={temperature ?? 1}
          isOff={temperature === null}
          onChange={(next) => change({ temperature: next })}
        />
      </Field>
      <Checkbox
        checked={temperature === null}
        onCheckedChange={(isModels) => change({ temperature: isModels ? null : 1 })}
        label={<span className="text-13">{t('advanced.leave_to_model')}</span>}
      />
      {assistant?.can_share !== false && <ToolPolicies assistant={assistant} toolIds={draft.tools} />}
    </>
  )
}

type RangeProps = { value: number; isOff: boolean; onChange: (value: number) => void }

function Range({ value, isOff, onChange }: RangeProps) {
  const control = useFieldControl()
  return (
    <input
      {...control}
      type="range"
      min={0}
      max={2}
      step={0.1}
      value={value}
      disabled={isOff}
      onChange={({ target }) => onChange(Number(target.value))}
      className="h-8 w-full accent-accent disabled:opacity-55 max-md:h-11"
    />
  )
}
