import { isDrawer } from '../../models/images/drawers.ts'
import type { ListedModel } from '../../models/listing/listed-model.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'

/** Returns the purpose of a Vertex AI model by its name; null for kinds that Atrium does not use. */
export function workOfVertexModel(id: string): ListedModel['does'] | null {
  return /multimodalembedding|-live|native-audio/.test(id) ? null : workOfModel(id, { draws: isDrawer })
}
