import { useMutation, useQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { greetModel } from '#shared/lifecycle/setup/setup.ts'
import {
  type AvailableModel,
  BUILT_IN_MODEL,
  listConnections,
  type ModelConnection,
} from '#shared/models/connections/connections.ts'
import { FirstConnection } from '../../../models/connections/connections.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { troubleText } from '../../../platform/i18n/trouble-text.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { availableModels } from '../../../platform/lib/models/available-models.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Radio } from '../../../platform/ui/checkbox.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { ReadFailed } from '../read-failed.tsx'
import type { StepProps } from './use-setup.ts'

/** Connects a model and tests it with a greeting, or continues with the built-in model alone. */
export function ModelStep({ isDone, onDone }: StepProps) {
  const { t } = useTranslation('setup')
  const [isConnecting, setConnecting] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const models = useQuery(availableModels)
  const connections = useQuery({
    queryKey: ['model-connections'],
    queryFn: ({ signal }) => call(listConnections, { signal }),
  })
  const greeting = useMutation({
    mutationFn: (model: string) => call(greetModel, { body: { model } }),
    onSuccess: ({ text }) => text !== null && onDone(),
  })
  const greet = (model: string) => {
    setChosen(model)
    greeting.mutate(model)
  }
  const onConnected = ({ models: its }: ModelConnection) => {
    setConnecting(false)
    const first = its.find(({ offered }) => offered)
    if (first) greet(first.id)
  }
  if (models.isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12']} />
  if (models.error) return <ReadFailed error={models.error} onRetry={models.refetch} />
  const connected = models.data.filter(({ id }) => id !== BUILT_IN_MODEL)
  const picked = connected.find(({ id }) => id === chosen) ?? connected[0]
  const fixed = connections.data?.filter(({ source }) => source === 'environment') ?? []
  return (
    <div className="grid gap-4">
      <Callout>{t(connected.length > 0 ? 'model.built_in_too' : 'model.built_in')}</Callout>
      {fixed.length > 0 && (
        <p className="text-13 text-ink-2">
          {t('model.fixed', {
            names: fixed.map(({ name, fixed_by }) => `${name} (${fixed_by.join(', ')})`).join(', '),
          })}
        </p>
      )}
      {picked && (
        <>
          <Choice models={connected} chosen={picked.id} onChoose={setChosen} />
          <Button
            variant={isDone ? 'secondary' : 'primary'}
            className="justify-self-start"
            busy={greeting.isPending}
            onClick={() => greet(picked.id)}
          >
            {t('model.greet', { name: picked.name })}
          </Button>
          <Answer greeting={greeting} />
        </>
      )}
      {picked && !isConnecting ? (
        <Button variant="link" className="justify-self-start" onClick={() => setConnecting(true)}>
          {t('model.another')}
        </Button>
      ) : (
        <FirstConnection onConnected={onConnected} />
      )}
    </div>
  )
}

type ChoiceProps = { models: AvailableModel[]; chosen: string; onChoose: (id: string) => void }

function Choice({ models, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation('setup')
  return (
    <fieldset aria-label={t('model.choice')} className="setup-list setup-long">
      {models.map(({ id, name, provider_name, local }) => (
        <label key={id} className="setup-row">
          <Radio name="model" value={id} checked={id === chosen} onChange={() => onChoose(id)} />
          <span className="min-w-0 flex-1 font-mono text-13 [overflow-wrap:anywhere]">{name}</span>
          <span className="text-12 text-ink-3">
            {provider_name}
            {local && ` · ${t('model.local')}`}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type Greeting = ReturnType<
  typeof useMutation<{ text: string | null; detail: string | null; ms: number }, Error, string>
>

function Answer({
  greeting: { data, error, isPending },
}: {
  greeting: Pick<Greeting, 'data' | 'error' | 'isPending'>
}) {
  const { t } = useTranslation('setup')
  if (isPending) return null
  if (error)
    return (
      <Callout tone="danger" title={t('model.silent')}>
        {errorText(t, error)}
      </Callout>
    )
  if (!data) return null
  if (data.text === null)
    return (
      <Callout tone="danger" title={t('model.silent')}>
        {troubleText(t, data.detail ?? '') ?? data.detail}
      </Callout>
    )
  const seconds = formatNumber(Math.max(data.ms / 1000, 0.1), {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
  })
  return (
    <Callout tone="success" icon={MessageSquare} title={t('model.answered', { seconds })}>
      {data.text ? t('model.said', { text: data.text }) : t('model.said_nothing')}
    </Callout>
  )
}
