import type { ModelDeps } from '../../models/model-deps.ts'
import { type Found, found } from './found.ts'

type Deps = Pick<ModelDeps, 'config' | 'models' | 'parsing'>

/** Reports the transcription engine: the configured one, or the packaged model, which serves documents only. */
export async function checkTranscription(deps: Deps): Promise<Found> {
  const { media } = await deps.parsing.probe()
  const model = deps.config.ATRIUM_TRANSCRIPTION_MODEL
  const engine = model ? await checkEngine(deps, model) : null
  if (engine?.state === 'missing') return engine
  if (!engine && !media.hasSpeech) return found('speech_missing')
  if (media.version === null) return found('speech_no_decoder', { package: media.package })
  return engine ?? found('speech_built_in')
}

async function checkEngine({ models }: Deps, model: string): Promise<Found> {
  const provider = model.slice(0, model.indexOf('/'))
  const connection = (await models.connections()).find((one) => one.provider === provider && one.enabled)
  if (!connection) return found('speech_away', { model, error: '' })
  const { status, status_detail } = connection
  return status === 'ok'
    ? found('speech_server', { model })
    : found('speech_away', { model, error: status_detail ?? '' })
}
