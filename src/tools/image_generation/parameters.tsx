import { ChevronRight } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { imageQualities, imageSizes } from '#shared/tools/tools/image-choices.ts'
import { DocumentCarousel } from '../../web/platform/citations/citations.ts'
import { type CardBodyProps, type TFunction, useTranslation } from '../../web/platform/ui/card-parts.ts'
import { Field } from '../../web/platform/ui/field.tsx'
import { Input, Textarea } from '../../web/platform/ui/input.tsx'
import { Select } from '../../web/platform/ui/select.tsx'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'

export type Parameters = { prompt: string; n: number | null; quality: string; size: string; ids: string[] }

type PanelProps = Pick<CardBodyProps, 'status' | 'onInput' | 'field'> & { parameters: Parameters }

/** Shows the inputs: open until the work begins, then one line that expands again. */
export function ParameterPanel({ status, parameters, onInput, field }: PanelProps) {
  const { t } = useTranslation('tool_ui')
  const id = useId()
  const isBefore = status === 'input'
  const [isOpen, setOpen] = useState(isBefore)
  const [wasBefore, setWasBefore] = useState(isBefore)
  if (isBefore !== wasBefore) {
    setWasBefore(isBefore)
    setOpen(isBefore)
  }
  return (
    <section className="grid min-w-0 gap-2">
      {!isBefore && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-7 items-center gap-2 rounded-control text-left text-13 max-md:min-h-11"
        >
          <ChevronRight aria-hidden className={`icon flex-none text-ink-3 ${isOpen ? 'rotate-90' : ''}`} />
          <span className="font-medium">{t('image_generation.parameters')}</span>
          <span className="min-w-0 truncate text-12 text-ink-2">{inOneLine(parameters, t)}</span>
        </button>
      )}
      <div id={id} hidden={!isOpen} className="grid min-w-0 gap-3">
        <Fields {...{ parameters, onInput, field }} disabled={!isBefore} />
      </div>
    </section>
  )
}

type FieldsProps = Pick<PanelProps, 'parameters' | 'onInput' | 'field'> & { disabled: boolean }

function Fields({ parameters: { prompt, n, quality, size, ids }, onInput, field, disabled }: FieldsProps) {
  const { t } = useTranslation('tool_ui')
  const name = (input: string) => t(`image_generation.inputs.${input}.name`)
  const isFixed = disabled || !onInput
  return (
    <>
      <Field label={name('prompt')}>
        <Textarea
          rows={4}
          className="min-h-24"
          value={prompt}
          disabled={disabled}
          readOnly={!onInput}
          placeholder={onInput && t('image_generation.inputs.prompt.text')}
          onChange={({ target }) => onInput?.({ prompt: target.value })}
        />
      </Field>
      <div className="grid grid-cols-3 gap-3">
        <Field label={name('n')}>
          <Input
            inputMode="numeric"
            value={n === null ? '' : String(n)}
            placeholder="1"
            disabled={isFixed}
            onChange={({ target }) => isCount(target.value) && onInput?.({ n: target.value })}
          />
        </Field>
        <Field label={name('quality')}>
          <Select
            value={quality}
            disabled={isFixed}
            options={imageQualities.map((value) => ({
              ...{ value, label: t(`image_generation.inputs.quality.options.${value}`) },
            }))}
            onValueChange={(value) => onInput?.({ quality: value })}
          />
        </Field>
        <Field label={name('size')}>
          <Select
            value={size}
            disabled={isFixed}
            options={imageSizes.map((value) => ({ value, label: sizeName(value, t) }))}
            onValueChange={(value) => onInput?.({ size: value })}
          />
        </Field>
      </div>
      {field?.('document_ids') ?? <Begins ids={ids} />}
    </>
  )
}

/** Shows the pictures to start from. */
function Begins({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <Suspense fallback={<Skeleton className="h-[92px] rounded-card" />}>
      <DocumentCarousel documents={ids.map((id) => ({ id, name: null }))} numbers={noNumbers} />
    </Suspense>
  )
}

const noNumbers = new Map<string, number>()

/** Accepts a whole number from 1 to 10, or an empty field (ledger IM-02). */
const isCount = (text: string) => /^(?:[1-9]|10)?$/.test(text)

const sizeName = (size: string, t: TFunction) =>
  t(`image_generation.inputs.size.options.${size}`, { defaultValue: size.replace('x', ' × ') })

function inOneLine({ n, quality, size, ids }: Parameters, t: TFunction): string {
  const parts = [
    t('image_generation.images', { count: n ?? 1 }),
    ...(quality === 'auto'
      ? []
      : [t(`image_generation.inputs.quality.options.${quality}`, { defaultValue: quality })]),
    ...(size === 'auto' ? [] : [sizeName(size, t)]),
    ...(ids.length > 0 ? [t('image_generation.from', { count: ids.length })] : []),
  ]
  return parts.join(', ')
}

/** Returns the inputs of a call with defaults for missing ones. A field that is being edited may be empty. */
export function readParameters(input: unknown, isFilled: boolean): Parameters {
  const given = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  const text = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback)
  return {
    prompt: text(given.prompt, ''),
    n: typeof given.n === 'number' ? given.n : isFilled ? null : 1,
    quality: text(given.quality, imageQualities[0]),
    size: text(given.size, imageSizes[0]),
    ids: Array.isArray(given.document_ids) ? given.document_ids.filter((id) => typeof id === 'string') : [],
  }
}
