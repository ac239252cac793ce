import { describe, expect, it } from 'vitest'
import { aConnection, aModel } from './connection-builder.ts'
import {
  bodyOf,
  changeKind,
  changesOf,
  checkDraft,
  draftOf,
  newDraft,
  testKindOf,
} from './connection-draft.ts'
import { modelChangeOf, modelDraftOf, modelName, offerOnly, wrongFields } from './model-edit.ts'

describe('writing a connection down', () => {
  it('MO-06 brings the name of a known provider and keeps one that was typed', () => {
    expect(newDraft('openai').name).toBe('OpenAI')
    expect(changeKind(newDraft('openai'), 'anthropic').name).toBe('Anthropic')
    expect(changeKind({ ...newDraft('openai'), name: 'Mine' }, 'compatible').name).toBe('Mine')
  })

  it('MO-06 asks for a key of a provider and an address of a compatible server', () => {
    expect(checkDraft(newDraft('openai'), false)).toEqual({ apiKey: 'key_missing' })
    expect(checkDraft(newDraft('openai'), true)).toEqual({})
    expect(checkDraft(newDraft('compatible'), false)).toEqual({
      name: 'name_missing',
      baseUrl: 'url_missing',
    })
    const draft = { ...newDraft('compatible'), name: 'vLLM' }
    expect(checkDraft({ ...draft, baseUrl: 'http://10.0.0.1:8000/v1' }, false)).toEqual({})
    expect(checkDraft({ ...draft, baseUrl: 'ftp://10.0.0.1' }, false)).toEqual({ baseUrl: 'url_wrong' })
    expect(checkDraft({ ...draft, name: 'x'.repeat(61), baseUrl: 'no url' }, false)).toEqual({
      name: 'name_too_long',
      baseUrl: 'url_wrong',
    })
  })

  it('SV-97 sends what was written, and null for what was left empty', () => {
    expect(bodyOf({ kind: 'compatible', name: ' vLLM ', baseUrl: ' http://h/v1 ', apiKey: '' })).toEqual({
      name: 'vLLM',
      kind: 'compatible',
      base_url: 'http://h/v1',
      api_key: null,
    })
  })

  it('SV-97 keeps the stored key when the field stays empty', () => {
    const draft = draftOf(aConnection({}))
    expect(draft.apiKey).toBe('')
    expect(changesOf(draft)).not.toHaveProperty('api_key')
    expect(changesOf({ ...draft, apiKey: 'sk-new' })).toHaveProperty('api_key', 'sk-new')
  })

  it('MO-06 never tests another address with the stored key', () => {
    const stored = aConnection({})
    const draft = draftOf(stored)
    expect(testKindOf(draft, null)).toBe('draft')
    expect(testKindOf({ ...draft, name: 'Other' }, stored)).toBe('stored')
    expect(testKindOf({ ...draft, baseUrl: 'http://elsewhere/v1' }, stored)).toBe('key_needed')
    expect(testKindOf({ ...draft, baseUrl: 'http://elsewhere/v1', apiKey: 'sk' }, stored)).toBe('draft')
    const open = aConnection({ has_key: false })
    expect(testKindOf({ ...draftOf(open), baseUrl: 'http://elsewhere/v1' }, open)).toBe('draft')
  })
})

describe('a model', () => {
  it('MO-06 takes an empty price as unpriced and never as 0', () => {
    const draft = modelDraftOf(aModel({ input_price: null, output_price: 0 }))
    expect(draft).toEqual({ context: '131072', input: '', output: '0' })
    expect(modelChangeOf(draft)).toEqual({ context_tokens: 131_072, input_price: null, output_price: 0 })
  })

  it('MO-06 reads prices and context as people type them', () => {
    expect(modelChangeOf({ context: '131 072', input: '0,15', output: '$0.60' })).toEqual({
      context_tokens: 131_072,
      input_price: 0.15,
      output_price: 0.6,
    })
    expect(wrongFields({ context: '12.5', input: '-1', output: 'ten' })).toEqual([
      'context',
      'input',
      'output',
    ])
    expect(wrongFields({ context: '131,072', input: '', output: '0' })).toEqual([])
  })

  it('MO-06 offers only the models that were chosen', () => {
    const models = [aModel({ id: 'vllm/a' }), aModel({ id: 'vllm/b/c' })]
    expect(offerOnly(models, new Set(['a']))).toEqual({ 'vllm/b/c': { offered: false } })
    expect(offerOnly(models, new Set(['vllm/a', 'b/c']))).toEqual({})
    expect(modelName('openrouter/meta/llama')).toBe('meta/llama')
  })
})
