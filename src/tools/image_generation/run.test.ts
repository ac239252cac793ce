import { describe, expect, it } from 'vitest'
import type { ImageOutcome, ImageWish } from '#shared/tools/tools/image-port.ts'
import { aToolContext } from '#tests/tool-context.ts'
import contract from './contract.ts'
import run from './run.ts'

const made = (name: string): ImageOutcome => ({
  ok: true,
  image: {
    ...{ type: 'media_reference', id: crypto.randomUUID(), name: `${name}.png`, media_type: 'image/png' },
    ...{ asset_filename: `${name}.png`, size: 9, url: `/a/${name}.png`, download_url: `/a/${name}.png?d` },
  },
  ...{ revised_prompt: null, price: 0.04, ms: 1_200 },
})

async function play(input: object, outcomes: (ImageOutcome | null)[] = []) {
  const wishes: ImageWish[] = []
  const said: string[] = []
  const steps: string[] = []
  const result = await run(
    contract.input.parse(input),
    aToolContext({
      phase: (phase, status, data) => void said.push(`${phase} ${status} ${data?.image} of ${data?.total}`),
      partialImage: (index, url) => void said.push(`${index} ${url}`),
      step: (key, work) => {
        steps.push(key)
        return work()
      },
      images: {
        findModel: async () => 'openai/gpt-image-1',
        check: async () => undefined,
        make: async (_, wish, name, show) => {
          wishes.push(wish)
          show(`/p/${name}.png`, 1)
          return outcomes.shift() ?? made(name)
        },
        keep: () => Promise.reject(new Error('Nothing is stored here.')),
      },
    }),
  )
  return { ...contract.output.parse(result), wishes, said, steps }
}

describe('image generation', () => {
  it("uses the schema's defaults for missing parameters [IM-04]", async () => {
    const { wishes, images } = await play({ prompt: ' A hill ' })
    expect(wishes).toEqual([{ prompt: 'A hill', quality: 'auto', size: 'auto', document_ids: [] }])
    expect(images).toHaveLength(1)
    expect(contract.input.parse({ prompt: 'a' })).toEqual({
      ...{ prompt: 'a', n: 1, quality: 'auto', size: 'auto' },
    })
    for (const wrong of [
      { n: 0 },
      { n: 11 },
      { n: 1.5 },
      { quality: 'best' },
      { size: '9x9' },
      { prompt: ' ' },
    ])
      expect(contract.input.safeParse({ prompt: 'a', ...wrong }).success, JSON.stringify(wrong)).toBe(false)
  })

  it('creates each image in a separate step and shows it at its index, during and after creation', async () => {
    const { steps, said } = await play({ prompt: 'Hills', n: 2 })
    expect(steps).toEqual(['model', 'image:1', 'image:2'])
    expect(said.slice(0, 5)).toEqual([
      'GENERATION started 1 of 2',
      'GENERATION processing 1 of 2',
      '0 /p/image-1.png',
      '0 /a/image-1.png',
      'GENERATION completed 1 of 2',
    ])
    expect(said.at(-2)).toBe('1 /a/image-2.png')
  })

  it('continues after a refused image and stops if none can succeed', async () => {
    const refused = { ok: false as const, error: 'refused: a face', isHopeless: false }
    const some = await play({ prompt: 'Faces', n: 3 }, [null, refused])
    expect(some.images.map(({ type }) => type)).toEqual(['media_reference', 'media_error', 'media_reference'])
    const none = await play({ prompt: 'Faces', n: 3 }, [{ ...refused, error: 'no key', isHopeless: true }])
    expect(none.wishes).toHaveLength(1)
    expect(none.images.map(({ error }) => error)).toEqual(['no key', 'no key', 'no key'])
  })
})
