import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { setSessionModel } from '#shared/chat/sessions/sessions.ts'
import { type AvailableModel, BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteSession } from '../../runs/sessions/sessions.ts'
import { modelOf } from './model-list.ts'

/** The available models, and the choice of a session. */
export function useModel(sessionId: string | null, modelName: string | null) {
  const { t } = useTranslation('streaming_blocks')
  const token = useToken()
  const {
    data: models = [],
    isLoading,
    isError,
  } = useQuery({
    ...availableModels,
    enabled: token !== null,
    select: (found) => found.map((model) => inWords(model, t)),
  })
  const current = modelOf(models, modelName)
  return {
    models,
    isLoading,
    isError,
    current,
    choose: (id: string) => {
      const model = models.find((one) => one.id === id)
      return switchModel({ sessionId, from: current?.id ?? modelName, to: id, name: model?.name ?? id, t })
    },
  }
}

/** The built-in model has a translated name and no provider. The provider of local models is this machine. */
function inWords(model: AvailableModel, t: TFunction): AvailableModel {
  if (model.provider === 'local' && model.provider_name === 'This machine')
    return { ...model, provider_name: t('common:this_machine') }
  if (model.id !== BUILT_IN_MODEL) return model
  const name = modelLabel(model.id, t)
  return { ...model, name, provider_name: name }
}

type Switch = {
  sessionId: string | null
  from: string | null
  to: string
  name: string
  t: TFunction
  say?: Pick<typeof toast, 'info' | 'success' | 'error'>
}

/** Changes the model of the next replies. Does nothing without a session, a model or a difference. */
export async function switchModel({ sessionId, from, to, name, t, say = toast }: Switch): Promise<boolean> {
  if (!sessionId || !to || from === to) return false
  const tell = (kind: 'info' | 'success' | 'error', key: string) =>
    sayOnce(`${key} ${to}`, () => say[kind](t(`streaming_blocks:model.${key}`, { model: name })))
  tell('info', 'switching')
  try {
    const { model_name } = await call(setSessionModel, { params: { sessionId }, body: { model_name: to } })
    noteSession(sessionId, { model_name })
    tell('success', 'switched')
    return true
  } catch {
    tell('error', 'switch_failed')
    return false
  }
}

/** Minimum time between two identical messages about a model. */
const REPEAT_MS = 2000
const saidAt = new Map<string, number>()

function sayOnce(key: string, say: () => void): void {
  const now = Date.now()
  if (now - (saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
  saidAt.set(key, now)
  say()
}
