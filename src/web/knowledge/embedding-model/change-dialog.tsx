import { type FormEvent, useId, useState } from 'react'
import {
  changeEmbeddingModel,
  type EmbeddingModelState,
  type OfferedEmbedding,
} from '#shared/knowledge/embedding-model/embedding-model.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatCost, formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { isModelId, readAgain, useEmbeddingCost } from './use-embedding-model.ts'

/** Value for a model outside the list. */
const OTHER = ''

type Props = { state: EmbeddingModelState; first: string; onClose: () => void }

/** Selects the embedding model of the library, and shows the cost of changing before it starts. `first` is preselected. */
export function ChangeDialog({ state, first, onClose }: Props) {
  const { t } = useTranslation('admin')
  const options = optionsOf(state, first)
  const [chosen, setChosen] = useState(first || (options.find(({ problem }) => !problem)?.id ?? OTHER))
  const [typed, setTyped] = useState('')
  const model = (chosen === OTHER ? typed : chosen).trim()
  const form = useId()
  const { run, isPending, error } = useAction(
    () => call(changeEmbeddingModel, { body: { model } }),
    () => {
      void readAgain()
      onClose()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run()
  }
  const isWrong = !isModelId(model) || model === state.model
  const problem = options.find(({ id }) => id === model)?.problem ?? null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isPending && onClose()}
      title={t('embedding.change_title')}
      description={t('embedding.change_about')}
      footer={
        <>
          <Button onClick={onClose}>{t('models.cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            busy={isPending}
            disabled={isWrong || problem !== null}
          >
            {t('embedding.begin')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="mt-3 grid gap-3">
        <Field label={t('embedding.model')}>
          <Select
            value={chosen}
            onValueChange={setChosen}
            options={[
              ...options.map((one) => ({ value: one.id, label: labelOf(t, one) })),
              { value: OTHER, label: t('embedding.other') },
            ]}
          />
        </Field>
        {chosen === OTHER && (
          <Field label={t('embedding.id')} hint={t('embedding.id_hint')}>
            <Input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
        {problem !== null && <Callout tone="warning">{problem}</Callout>}
        {!isWrong && problem === null && <Cost model={model} />}
        {error !== null && <Callout tone="danger">{errorText(t, error)}</Callout>}
      </form>
    </Dialog>
  )
}

function Cost({ model }: { model: string }) {
  const { t } = useTranslation('admin')
  const { data } = useEmbeddingCost(model)
  if (!data) return <p className="text-13 text-ink-3">{t('embedding.counting')}</p>
  const { passages, tokens, price } = data
  const number = formatNumber(passages)
  return (
    <p className="text-13 text-ink-2">
      {t('embedding.lacking', { count: passages, number, tokens: formatNumber(tokens) })}{' '}
      {price === null && t('embedding.no_price')}
      {price === 0 && t('embedding.free')}
      {price !== null && price > 0 && t('embedding.price', { price: formatCost(price) })}
    </p>
  )
}

/** Returns the available models, including the previous one, which may no longer be listed. */
function optionsOf({ model, offered }: EmbeddingModelState, first: string): OfferedEmbedding[] {
  const options = offered.filter(({ id }) => id !== model)
  if (first === OTHER || options.some(({ id }) => id === first)) return options
  const unknown = { provider_name: null, dimensions: null, max_tokens: null, problem: null }
  return [{ ...unknown, id: first, name: first }, ...options]
}

function labelOf(
  t: TFunction<'admin'>,
  { id, provider_name, dimensions, problem }: OfferedEmbedding,
): string {
  const about = [
    provider_name,
    dimensions !== null && t('embedding.dimensions', { number: formatNumber(dimensions) }),
  ]
  if (problem !== null) about.push(t('embedding.unusable'))
  return [id, ...about].filter(Boolean).join(' · ')
}
