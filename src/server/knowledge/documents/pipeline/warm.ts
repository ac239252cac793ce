import type { RunDeps } from '../../../runs/run-deps.ts'
import { readLibraryModel } from '../../collections/collections.ts'

/** Starts the processes that read and embed a document while its bytes arrive. Does nothing where no jobs are executed. */
export function warmPipeline(deps: RunDeps): void {
  if (!deps.config.works) return
  deps.parsing.warm()
  const warmModel = async () => deps.models.warmEmbedding(await readLibraryModel(deps))
  warmModel().catch((error) => deps.log.debug({ error }, 'the embedding model could not be started early'))
}
