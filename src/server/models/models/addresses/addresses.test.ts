import { describe, expect, it } from 'vitest'
import { reach } from '../configured.ts'
import { possibleBases } from './bases.ts'
import { operationUrl } from './operation-url.ts'
import { readAddress } from './read-address.ts'

const place = { model_ids: [], api_version: null, entra: null, options: {} }
const RESOURCE = 'https://r.openai.azure.com'

describe('a typed address', () => {
  it.each([
    ['http://h/v1/', 'http://h/v1'],
    ['http://h/v1/chat/completions', 'http://h/v1'],
    ['http://h/v1/chat/completions/?key=a', 'http://h/v1?key=a'],
    ['http://h/v1/responses?', 'http://h/v1'],
    ['http://h:11434/api/chat', 'http://h:11434'],
    ['https://r.services.ai.azure.com/models/chat/completions', 'https://r.services.ai.azure.com/models'],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ])('reads %s as %s', (typed, meant) => {
    expect(readAddress(typed)).toBe(meant)
    expect(readAddress(meant)).toBe(meant)
  })

  it('tries an address with and without its version, an Azure deployment only as given', () => {
    expect(possibleBases('http://h', 'v1')).toEqual(['http://h', 'http://h/v1'])
    expect(possibleBases('http://h/v1', 'v1')).toEqual(['http://h/v1', 'http://h'])
    expect(possibleBases('http://h/x?k=1', 'v1')).toEqual(['http://h/x?k=1', 'http://h/x/v1?k=1'])
    expect(possibleBases('http://h', 'v1beta')).toEqual(['http://h', 'http://h/v1beta'])
    const deployment = `${RESOURCE}/openai/deployments/a?api-version=2024-10-21`
    expect(possibleBases(deployment, 'v1')).toEqual([deployment])
  })
})

describe('the address of an operation', () => {
  it('puts the path before the query and joins both queries', () => {
    expect(operationUrl('http://h/v1?k=1', '/models')).toBe('http://h/v1/models?k=1')
    expect(operationUrl('http://h/v1?k=1', '/x?alt=sse', 'm')).toBe('http://h/v1/x?alt=sse&k=1')
  })

  it('names the deployment at a resource with a dated version', () => {
    const base = `${RESOURCE}/openai?api-version=2024-10-21`
    const path = '/openai/deployments/a%20b/embeddings?api-version=2024-10-21'
    expect(operationUrl(base, '/embeddings', 'a b')).toBe(RESOURCE + path)
  })
})

describe('an Azure resource', () => {
  it.each([
    [RESOURCE, null, `${RESOURCE}/openai/v1`],
    [`${RESOURCE}/openai/v1/`, null, `${RESOURCE}/openai/v1`],
    [`${RESOURCE}/openai/v1/chat/completions`, 'preview', `${RESOURCE}/openai/v1?api-version=preview`],
    [RESOURCE, '2024-10-21', `${RESOURCE}/openai?api-version=2024-10-21`],
    [`${RESOURCE}/openai/deployments/a?api-version=2024-10-21`, 'v1', `${RESOURCE}/openai/v1`],
    [
      'https://r.services.ai.azure.com/models?api-version=2025-01-01',
      null,
      'https://r.services.ai.azure.com/models?api-version=2025-01-01',
    ],
  ])('resolves %s with version %s to %s', (base_url, api_version, called) => {
    const reached = reach({ ...place, kind: 'azure', base_url, api_version })
    expect(reached).toMatchObject({ base_url: called, key_header: 'api-key' })
    expect(reach(reached).base_url).toBe(called)
  })

  it('recognizes a resource and its deployment in a compatible connection', () => {
    const compatible = (base_url: string) => reach({ ...place, kind: 'compatible', base_url })
    expect(compatible(RESOURCE)).toMatchObject({ base_url: `${RESOURCE}/openai/v1`, key_header: 'api-key' })
    expect(compatible(`${RESOURCE}/openai/deployments/100%/?api-version=1`).model_ids).toEqual(['100%'])
    expect(compatible('http://h/v1').key_header).toBeUndefined()
  })
})
