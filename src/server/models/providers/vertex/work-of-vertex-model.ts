import { isDrawer } from '../../models/images/drawers.ts'
import type { ListedModel } from '../../models/listing/listed-model.ts'
import { workOfModel } from '../../models/listing/work-of-model.ts'

/** What a model of Vertex AI is for by its name; null for what nobody here asks for. */
export function workOfVertexModel(id: string): ListedModel['does'] | null {
  return /multimodalembedding|-live|native-audio/.test(id) ? null : workOfModel(id, { draws: isDrawer })
}
