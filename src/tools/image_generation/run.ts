import type * as z from 'zod/mini'
import type { ImageOutcome } from '#shared/tools/tools/image-port.ts'
import type { ToolContext, ToolRun } from '#shared/tools/tools/tool.ts'
import type imageGeneration from './contract.ts'

type Output = z.input<(typeof imageGeneration)['output']>
type Input = z.output<(typeof imageGeneration)['input']>

/** Makes images one by one, each as a step of the run, so that finished ones are not repeated after a crash. */
const run: ToolRun<typeof imageGeneration> = async (input, tools) => {
  const model = await tools.step('model', async () => {
    const found = await tools.images.findModel()
    await tools.images.check(input.document_ids ?? [])
    return found
  })
  const images: Output['images'] = []
  let reason: string | null = null
  for (let index = 0; index < input.n; index += 1) {
    const name = `image-${index + 1}`
    const made: ImageOutcome =
      reason === null
        ? await makeImage(tools, input, model, index)
        : { ok: false, error: reason, isHopeless: true }
    if (!made.ok && made.isHopeless) reason = made.error
    images.push(describe(name, made))
  }
  return { images, model }
}

export default run

function makeImage(
  tools: ToolContext,
  { prompt, n, quality, size, document_ids = [] }: Input,
  model: string,
  index: number,
): Promise<ImageOutcome> {
  const told = { image: index + 1, total: n }
  return tools.step(`image:${index + 1}`, async () => {
    tools.phase('GENERATION', 'started', told)
    const wish = { prompt, quality, size, document_ids }
    const made = await tools.images.make(model, wish, `image-${index + 1}`, (url, preview) => {
      tools.phase('GENERATION', 'processing', { ...told, preview })
      tools.partialImage(index, url)
    })
    if (made.ok) tools.partialImage(index, made.image.url)
    tools.phase('GENERATION', made.ok ? 'completed' : 'failed', {
      ...told,
      ...(!made.ok && { error: made.error }),
    })
    return made
  })
}

function describe(name: string, made: ImageOutcome): Output['images'][number] {
  if (!made.ok)
    return {
      ...{ type: 'media_error', url: null, asset_filename: name, filename: name },
      ...{ revised_prompt: null, error: made.error },
    }
  const { image, revised_prompt, price, ms } = made
  return { ...image, filename: image.name, revised_prompt, error: null, price, ms }
}
