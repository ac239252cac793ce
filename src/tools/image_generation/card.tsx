import { ImageIcon } from 'lucide-react'
import { useMemo } from 'react'
import { Callout } from '../../web/platform/ui/callout.tsx'
import {
  type CardBodyProps,
  formatCost,
  formatNumber,
  type TFunction,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Spinner } from '../../web/platform/ui/states/spinner.tsx'
import { explainImage, Gallery } from './gallery.tsx'
import { ParameterPanel, readParameters } from './parameters.tsx'
import { type ImageWork, readImages } from './read-images.ts'
import { isOfInputs } from './reasons.ts'

const card: ToolCardParts = {
  ...{ Icon: ImageIcon, summarise: (input) => readParameters(input, false).prompt, Body: Images },
  edits: ['prompt', 'n', 'quality', 'size', 'document_ids'],
  failure: (t) => t('image_generation.failed'),
  explain: (error, _, t) => explainImage(error, t),
  remedy: (error) => (isOfInputs(error) ? 'edit' : 'retry'),
  hasFailed: (result) => madeIn(readImages([], result, 0)).length === 0,
}

export default card

function Images({ status, input, result, events, onInput, field }: CardBodyProps) {
  const { t } = useTranslation('tool_ui')
  const parameters = readParameters(input, onInput !== undefined)
  const wanted = parameters.n ?? 1
  const work = useMemo(
    () => readImages(events, status === 'done' ? result : null, wanted),
    [status, result, events, wanted],
  )
  const { prompt, size } = parameters
  const isRunning = status === 'running'
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <ParameterPanel {...{ status, parameters, onInput, field }} />
      {status === 'done' && madeIn(work).length === 0 ? (
        <Nothing work={work} />
      ) : (
        status !== 'input' && <Gallery slots={work.slots} {...{ prompt, size }} />
      )}
      {isRunning && (
        <p role="status" className="num flex items-center gap-2 text-12 text-ink-2">
          <Spinner className="icon" />
          {progressIn(work, t)}
        </p>
      )}
      {status === 'done' && <p className="num text-12 text-ink-3">{costIn(work, t)}</p>}
    </div>
  )
}

/** Shows that there is no image, and why: once for all that failed for the same reason. */
function Nothing({ work }: { work: ImageWork }) {
  const { t } = useTranslation('tool_ui')
  const reasons = new Set(work.slots.flatMap((slot) => (slot.kind === 'failed' ? [slot.error] : [])))
  return (
    <Callout tone="danger" title={t('image_generation.failed')}>
      {[...reasons].map((reason) => (
        <p key={reason}>{explainImage(reason, t) ?? reason}</p>
      ))}
    </Callout>
  )
}

const madeIn = ({ slots }: ImageWork) => slots.flatMap((slot) => (slot.kind === 'made' ? [slot.image] : []))

function progressIn({ now }: ImageWork, t: TFunction): string {
  if (!now) return t('image_generation.beginning')
  return t(now.preview > 0 ? 'image_generation.doing_preview' : 'image_generation.doing', now)
}

/** Returns the cost and duration of the images, and the model. */
function costIn(work: ImageWork, t: TFunction): string {
  const made = madeIn(work)
  const prices = made.map(({ price }) => price ?? null)
  const total = prices.reduce<number>((sum, price) => sum + (price ?? 0), 0)
  const seconds = made.reduce((sum, { ms = 0 }) => sum + ms, 0) / 1000
  const parts = [
    ...(made.length === 0
      ? []
      : [
          prices.includes(null) ? t('image_generation.unpriced') : formatCost(total),
          t('image_generation.seconds', { shown: formatNumber(Math.max(1, Math.round(seconds))) }),
        ]),
    ...(work.model ? [work.model] : []),
  ]
  return parts.join(' · ')
}
