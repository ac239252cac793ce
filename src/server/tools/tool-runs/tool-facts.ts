import type { ToolContract } from '#shared/tools/tools/tool.ts'
import type { MissingPart, ToolNeed, ToolPrice } from '#shared/tools/tools/tool-facts.ts'
import { defaultModelFor } from '../../models/model-choice/model-choice.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { isNotGranted, type Person, reaches } from '../../platform/access/access.ts'

type Deps = Pick<ModelDeps, 'grants' | 'models' | 'sandbox'>

/** The facts about an installation that all tools share: models with prices, missing parts, and who can fix them. */
export type ToolFacts = {
  prices: Record<'model' | 'image_model', ToolPrice>
  missing: ReadonlyMap<ToolNeed, MissingPart>
}

/** Reads the currently known facts about this installation. */
export async function readToolFacts({ grants, models, sandbox }: Deps, caller: Person): Promise<ToolFacts> {
  const [model, drawer] = await Promise.all([
    defaultModelFor({ models, grants }, caller.id).catch((error) => {
      // People who may use no model pay for none.
      if (isNotGranted(error)) return null
      throw error
    }),
    models.drawer(),
  ])
  const image = drawer === null ? null : await models.price(drawer, ONE_IMAGE)
  const box = sandbox.readiness()
  const isAdministrator = reaches(caller, 'super_admin')
  const tell = (part: ToolNeed, hint: string): [ToolNeed, MissingPart] => [
    part,
    { part, hint: isAdministrator ? hint : null },
  ]
  const trouble = box?.every(({ ok }) => !ok) ? (box[0]?.trouble ?? '') : null
  return {
    prices: {
      model: (model?.input_price ?? null) === null ? 'unpriced' : 'by_model',
      image_model: image === null || image.unpriced ? 'unpriced' : 'by_image',
    },
    missing: new Map([
      ...(drawer === null ? [tell('image_model', 'ATRIUM_IMAGE_MODEL')] : []),
      ...(trouble === null ? [] : [tell('code_box', trouble)]),
    ]),
  }
}

/** Approximate usage of one image. It only determines whether there is a price. */
const ONE_IMAGE = {
  ...{ input_tokens: 50, output_tokens: 1_000, cached_tokens: 0, reasoning_tokens: 0, estimated: true },
  image_tokens: { input: 0, output: 1_000 },
}

/** Returns the cost of a use of a tool. */
export function priceOf({ takes }: Pick<ToolContract, 'takes'>, { prices }: ToolFacts): ToolPrice {
  if (takes === undefined) return 'unpriced'
  return takes === 'nothing' ? 'free' : prices[takes]
}

export function missingFor({ needs }: Pick<ToolContract, 'needs'>, { missing }: ToolFacts): MissingPart[] {
  const part = needs && missing.get(needs)
  return part ? [part] : []
}
