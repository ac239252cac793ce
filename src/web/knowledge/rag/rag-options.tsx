import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { NumberInput, RangeInput } from '../../platform/ui/number-input.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { useRerankers } from '../search/search.tsx'
import type { RagForm } from './rag-form.ts'

type Props = { form: RagForm; onChange: (more: Partial<RagForm>) => void }

/** Rarely used parameters. */
export function RagOptions({ form, onChange }: Props) {
  const { t } = useTranslation('vectors')
  const [isOpen, setOpen] = useState(true)
  const known = useRerankers()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const tenth = (value: number) => (
    <span className="num">{formatNumber(value, { minimumFractionDigits: 1 })}</span>
  )
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        icon={<Chevron aria-hidden className="icon-14" />}
        onClick={() => setOpen(!isOpen)}
        className="-ml-2 justify-self-start"
      >
        {t('rag.advanced')}
      </Button>
      {isOpen && (
        <div className="grid gap-3.5">
          <div className="grid grid-cols-2 gap-3">
            <Field label={t('objects.limit')}>
              <NumberInput
                value={form.limit}
                onValueChange={(limit) => onChange({ limit })}
                {...{ min: 1, max: 50, fallback: 10 }}
              />
            </Field>
            <Field label={t('search.top')}>
              <NumberInput
                value={form.top}
                onValueChange={(top) => onChange({ top })}
                {...{ min: 1, max: 20, fallback: 5 }}
              />
            </Field>
          </div>
          <Checkbox
            label={t('rag.hybrid')}
            checked={form.isHybrid}
            onCheckedChange={(isHybrid) => onChange({ isHybrid })}
          />
          {form.isHybrid && (
            <Field label={t('search.alpha')} aside={tenth(form.alpha)}>
              <RangeInput value={form.alpha} step={0.1} onValueChange={(alpha) => onChange({ alpha })} />
            </Field>
          )}
          <Field label={t('rag.temperature')} aside={tenth(form.temperature)}>
            <RangeInput
              value={form.temperature}
              step={0.1}
              onValueChange={(temperature) => onChange({ temperature })}
            />
          </Field>
          <Field label={t('search.reranker')}>
            <Select
              value={form.reranker}
              onValueChange={(reranker) => onChange({ reranker })}
              options={[
                { value: '', label: t('search.no_reranker') },
                ...known.rerankers.map(({ name }) => ({ value: name, label: name })),
              ]}
            />
          </Field>
          {known.error && (
            <Callout tone="danger">{t('errors.rerankers', { message: errorText(t, known.error) })}</Callout>
          )}
          <Checkbox
            label={t('search.only_this')}
            checked={form.isOnlyThis}
            onCheckedChange={(isOnlyThis) => onChange({ isOnlyThis })}
          />
          <Checkbox
            label={t('rag.json')}
            checked={form.isJson}
            onCheckedChange={(isJson) => onChange({ isJson })}
          />
        </div>
      )}
    </>
  )
}
