import { describe, expect, it } from 'vitest'
import { aConnection, aModel } from '#tests/web/connection-builder.ts'
import { forms } from '#tests/web/provider-forms.ts'
import {
  bodyOf,
  changeKind,
  changesOf,
  checkDraft,
  choosePreset,
  draftOf,
  newDraft,
  takesOneAtATime,
  testKindOf,
} from './connection-draft.ts'
import { modelChangeOf, modelDraftOf, modelName, offerOnly, wrongFields } from './model-edit.ts'

describe('a connection draft', () => {
  it('takes the name of a known provider but preserves a typed one [MO-06]', () => {
    expect(newDraft(forms.openai).name).toBe('OpenAI')
    expect(changeKind(newDraft(forms.openai), forms.anthropic).name).toBe('Anthropic')
    expect(changeKind({ ...newDraft(forms.openai), name: 'Mine' }, forms.compatible).name).toBe('Mine')
  })

  it('forgets the groups, their secret and the rules of a former kind', () => {
    const keyed = {
      ...newDraft(forms.bedrock),
      ...{ groups: ['access_key'], apiKey: 'secret', oneAtATime: true, firstToken: '900' },
    }
    const changed = {
      ...changeKind(keyed, forms.compatible),
      name: 'Ours',
      baseUrl: 'http://ours.example/v1',
    }
    expect(checkDraft(changed, false)).toEqual({})
    expect(bodyOf(changed)).toMatchObject({ api_key: null })
    expect(bodyOf(changed)).not.toHaveProperty('one_at_a_time')
    expect(bodyOf(changed)).not.toHaveProperty('first_token_seconds')
    expect(changeKind(keyed, forms.bedrock)).toBe(keyed)
  })

  it('takes name and address of a known server, but preserves a typed name', () => {
    const [groq, ollama] = ['Groq', 'Ollama'].map((name) =>
      forms.compatible.presets.find((one) => one.name === name),
    )
    if (!groq || !ollama) throw new Error('These are presets.')
    const chosen = choosePreset(newDraft(forms.compatible), groq)
    const expected = { name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' }
    expect(chosen).toMatchObject(expected)
    expect(checkDraft(chosen, false)).toEqual({ apiKey: 'key_missing' })
    expect(checkDraft(choosePreset(chosen, ollama), false)).toEqual({})
    expect(choosePreset({ ...chosen, name: 'Ours' }, ollama).name).toBe('Ours')
    expect(changeKind(chosen, forms.azure)).toMatchObject({ name: 'Azure OpenAI', baseUrl: '' })
  })

  it('sends the models that were typed by hand, one per line', () => {
    const draft = { ...newDraft(forms.compatible), name: 'x', modelIds: ' one \n\ntwo, one' }
    expect(bodyOf(draft)).toHaveProperty('model_ids', ['one', 'two'])
    expect(bodyOf({ ...draft, form: forms.anthropic })).not.toHaveProperty('model_ids')
    expect(bodyOf({ ...draft, form: forms.anthropic, baseUrl: 'https://h' })).toHaveProperty('model_ids')
    const stored = aConnection({ model_ids: ['one'] })
    expect(changesOf(draftOf(stored, forms.compatible), stored)).not.toHaveProperty('model_ids')
    expect(changesOf({ ...draftOf(stored, forms.compatible), modelIds: '' }, stored)).toHaveProperty(
      'model_ids',
      [],
    )
  })

  it('requires a deployment for Azure, and the ids of an application of Entra ID', () => {
    const azure = { ...newDraft(forms.azure), baseUrl: 'https://r.openai.azure.com', apiKey: 'k' }
    expect(checkDraft(azure, false)).toEqual({ modelIds: 'model_ids_missing' })
    const named = { ...azure, baseUrl: `${azure.baseUrl}/openai/deployments/gpt4o?api-version=2024-10-21` }
    expect(checkDraft(named, false)).toEqual({})
    const entra = {
      ...azure,
      modelIds: 'gpt4o',
      groups: ['entra'],
      apiKey: '',
      values: { 'entra.tenant_id': 'a b' },
    }
    expect(checkDraft(entra, false)).toEqual({
      ...{ apiKey: 'secret_missing', 'entra.tenant_id': 'id_wrong', 'entra.client_id': 'field_missing' },
    })
    expect(
      bodyOf({ ...entra, values: { 'entra.tenant_id': 't', 'entra.client_id': ' c ', api_version: 'v1' } }),
    ).toMatchObject({
      api_version: 'v1',
      entra: { tenant_id: 't', client_id: 'c', authority: null },
    })
  })

  it('sends the region and the secrets of Bedrock, and reads a stored connection back', () => {
    const draft = newDraft(forms.bedrock)
    expect(checkDraft(draft, false)).toEqual({ 'options.region': 'field_missing' })
    const values = {
      'options.region': ' eu-central-1 ',
      'options.access_key_id': 'AKIA1',
      session_token: 'token',
    }
    expect(bodyOf({ ...draft, apiKey: 'key', values })).toMatchObject({
      ...{ kind: 'bedrock', api_key: 'key', options: { region: 'eu-central-1' } },
    })
    const keyed = { ...draft, groups: ['access_key'], values }
    expect(checkDraft(keyed, false)).toEqual({ apiKey: 'secret_missing' })
    const options = { region: 'eu-central-1', access_key_id: 'AKIA1' }
    expect(bodyOf({ ...keyed, apiKey: 'secret' })).toMatchObject({ api_key: 'secret:token', options })
    const stored = aConnection({ kind: 'bedrock', base_url: null, options })
    const read = draftOf(stored, forms.bedrock)
    expect(read).toMatchObject({ groups: ['access_key'], apiKey: '' })
    expect(testKindOf(read, stored)).toBe('stored')
    const elsewhere = { ...read, values: { ...read.values, 'options.region': 'us-east-1' } }
    expect(testKindOf(elsewhere, stored)).toBe('key_needed')
  })

  it('requires a key for a provider and an address for a compatible server [MO-06]', () => {
    expect(checkDraft(newDraft(forms.openai), false)).toEqual({ apiKey: 'key_missing' })
    expect(checkDraft(newDraft(forms.openai), true)).toEqual({})
    expect(checkDraft(newDraft(forms.compatible), false)).toEqual({
      name: 'name_missing',
      baseUrl: 'url_missing',
    })
    const draft = { ...newDraft(forms.compatible), name: 'vLLM' }
    expect(checkDraft({ ...draft, baseUrl: 'http://10.0.0.1:8000/v1' }, false)).toEqual({})
    expect(checkDraft({ ...draft, baseUrl: 'ftp://10.0.0.1' }, false)).toEqual({ baseUrl: 'url_wrong' })
    expect(checkDraft({ ...draft, name: 'x'.repeat(61), baseUrl: 'no url' }, false)).toEqual({
      name: 'name_too_long',
      baseUrl: 'url_wrong',
    })
  })

  it('sends the typed values, and null for empty fields [SV-97]', () => {
    expect(bodyOf({ ...newDraft(forms.compatible), name: ' vLLM ', baseUrl: ' http://h/v1 ' })).toEqual({
      name: 'vLLM',
      kind: 'compatible',
      base_url: 'http://h/v1',
      api_key: null,
    })
  })

  it('leaves the stored key unchanged when the field is empty [SV-97]', () => {
    const stored = aConnection({})
    const draft = draftOf(stored, forms.compatible)
    expect(draft.apiKey).toBe('')
    expect(changesOf(draft, stored)).not.toHaveProperty('api_key')
    expect(changesOf({ ...draft, apiKey: 'sk-new' }, stored)).toHaveProperty('api_key', 'sk-new')
  })

  it('sends only the rules that changed', () => {
    const stored = aConnection({ requests_per_minute: 60 })
    const draft = draftOf(stored, forms.compatible)
    expect(draft).toMatchObject({ requests: '60', tokens: '', newKey: '', removedKeys: [] })
    const { name, kind, base_url } = stored
    expect(changesOf(draft, stored)).toEqual({ name, kind, base_url })
    const changed = { ...draft, newKey: ' sk-two ', removedKeys: ['a'], requests: '', tokens: '90 000' }
    expect(changesOf(changed, stored)).toEqual({
      ...{ name, kind, base_url, add_keys: ['sk-two'], remove_keys: ['a'] },
      ...{ requests_per_minute: null, tokens_per_minute: 90_000 },
    })
    for (const wrong of ['0', '-1', '1.5', 'many'])
      expect(checkDraft({ ...draft, tokens: wrong }, true)).toEqual({ tokens: 'limit_wrong' })
  })

  it('takes one request at a time where servers at its address usually do, until somebody chooses', () => {
    const preset = (name: string) => {
      const found = forms.compatible.presets.find((one) => one.name === name)
      if (!found) throw new Error(`There is no preset ${name}.`)
      return found
    }
    for (const [name, expected] of [
      ...[['Ollama', true] as const, ['LM Studio', true] as const, ['llama.cpp', true] as const],
      ...[['vLLM', false] as const, ['Groq', false] as const],
    ]) {
      const draft = choosePreset(newDraft(forms.compatible), preset(name))
      expect([name, takesOneAtATime(draft)]).toEqual([name, expected])
      expect(bodyOf(draft)).not.toHaveProperty('one_at_a_time')
    }
    const chosen = { ...choosePreset(newDraft(forms.compatible), preset('Ollama')), oneAtATime: false }
    expect(bodyOf({ ...chosen, firstToken: '1,200' })).toMatchObject({
      ...{ one_at_a_time: false, first_token_seconds: 1200 },
    })
    expect(checkDraft({ ...chosen, firstToken: '9' }, false)).toEqual({ firstToken: 'seconds_wrong' })
    const stored = aConnection({ one_at_a_time: true, first_token_seconds: 600 })
    expect(
      changesOf({ ...draftOf(stored, forms.compatible), oneAtATime: false, firstToken: '' }, stored),
    ).toMatchObject({
      ...{ one_at_a_time: false, first_token_seconds: null },
    })
  })

  it('never tests a different address with the stored key [MO-06]', () => {
    const stored = aConnection({})
    const draft = draftOf(stored, forms.compatible)
    expect(testKindOf(draft, null)).toBe('draft')
    expect(testKindOf({ ...draft, name: 'Other' }, stored)).toBe('stored')
    expect(testKindOf({ ...draft, baseUrl: 'http://elsewhere/v1' }, stored)).toBe('key_needed')
    expect(testKindOf({ ...draft, baseUrl: 'http://elsewhere/v1', apiKey: 'sk' }, stored)).toBe('draft')
    const open = aConnection({ has_key: false })
    expect(testKindOf({ ...draftOf(open, forms.compatible), baseUrl: 'http://elsewhere/v1' }, open)).toBe(
      'draft',
    )
  })
})

describe('a model draft', () => {
  it('treats an empty price as unpriced, never as 0 [MO-06]', () => {
    const model = aModel({ input_price: null, output_price: 0 })
    const draft = modelDraftOf(model)
    expect(draft).toEqual({ context: '131072', input: '', output: '0', fallback: '' })
    expect(modelChangeOf(draft, model)).toEqual({
      context_tokens: 131_072,
      input_price: null,
      output_price: 0,
    })
  })

  it('parses prices and context sizes as users type them [MO-06]', () => {
    expect(
      modelChangeOf({ context: '131 072', input: '0,15', output: '$0.60', fallback: '' }, aModel({})),
    ).toEqual({
      context_tokens: 131_072,
      input_price: 0.15,
      output_price: 0.6,
    })
    expect(wrongFields({ context: '12.5', input: '-1', output: 'ten', fallback: '' })).toEqual([
      'context',
      'input',
      'output',
    ])
    expect(wrongFields({ context: '131,072', input: '', output: '0', fallback: '' })).toEqual([])
  })

  it('sends the fallback only when it changed', () => {
    const model = aModel({ fallback: 'spare/a' })
    const draft = modelDraftOf(model)
    expect(modelChangeOf(draft, model)).not.toHaveProperty('fallback')
    expect(modelChangeOf({ ...draft, fallback: '' }, model)).toHaveProperty('fallback', null)
    expect(modelChangeOf({ ...draft, fallback: 'spare/b' }, model)).toHaveProperty('fallback', 'spare/b')
  })

  it('offers only the selected models [MO-06]', () => {
    const models = [aModel({ id: 'vllm/a' }), aModel({ id: 'vllm/b/c' })]
    expect(offerOnly(models, new Set(['a']))).toEqual({ 'vllm/b/c': { offered: false } })
    expect(offerOnly(models, new Set(['vllm/a', 'b/c']))).toEqual({})
    expect(modelName('openrouter/meta/llama')).toBe('meta/llama')
  })
})
