import { describe, expect, it } from 'vitest'
import type { ConnectionModel } from '#shared/models/connections/connections.ts'
import { longestAnswer } from '../../providers/anthropic/longest-answer.ts'
import { priceOf } from '../price.ts'

const aModel = (given: Partial<ConnectionModel>): ConnectionModel => ({
  ...{ id: 'p/m', name: 'm', context_tokens: null, max_output_tokens: null, offered: true, edited: false },
  ...{ input_price: 1, output_price: 2, fallback: null },
  ...given,
})
const usage = {
  ...{ input_tokens: 100_000, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, estimated: false },
}

describe('the price of a call', () => {
  it('applies separate prices to tokens read from a cache and written to it', async () => {
    const claude = aModel({ id: 'anthropic/claude-sonnet-4-5', input_price: 3, output_price: 15 })
    const server = { kind: 'anthropic' as const, base_url: 'https://api.anthropic.com/v1' }
    const cached = { ...usage, cached_tokens: 50_000, cache_write_tokens: 20_000 }
    expect((await priceOf(server, claude, usage)).amount).toBeCloseTo(0.3)
    expect((await priceOf(server, claude, cached)).amount).toBeCloseTo(0.03 * 3 + 0.05 * 0.3 + 0.02 * 3.75)
  })

  it('is the cost that the provider reports, unless an administrator set the prices', async () => {
    const server = {
      kind: 'compatible' as const,
      base_url: 'https://openrouter.ai/api/v1',
      tells_costs: true,
    }
    const told = { ...usage, cost: 0.42 }
    expect(await priceOf(server, aModel({}), told)).toEqual({ amount: 0.42, unpriced: false })
    expect(await priceOf(server, aModel({ input_price: null, output_price: null }), told)).toEqual({
      ...{ amount: 0.42, unpriced: false },
    })
    expect((await priceOf(server, aModel({ edited: true }), told)).amount).toBeCloseTo(0.1)
    expect((await priceOf({ ...server, tells_costs: false }, aModel({}), told)).amount).toBeCloseTo(0.1)
  })
})

describe('the output limit of a model', () => {
  const unknown = { context_tokens: null, max_output_tokens: null }
  it.each([
    ['claude-3-haiku-20240307', 4_096],
    ['claude-3-5-sonnet-20241022', 8_192],
    ['claude-3-7-sonnet-latest', 64_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-opus-4-5', 64_000],
    ['claude-opus-4-6', 128_000],
    ['claude-sonnet-4-5', 64_000],
    ['kimi-k2', 8_192],
  ])('defaults for %s to %i tokens', (model, tokens) => {
    expect(longestAnswer(model, unknown)).toBe(tokens)
  })

  it('follows the list as far as the window allows', () => {
    expect(longestAnswer('claude-x', { context_tokens: 1_000_000, max_output_tokens: 96_000 })).toBe(96_000)
    expect(longestAnswer('claude-x', { context_tokens: 200_000, max_output_tokens: 64_000 })).toBe(50_000)
  })
})
