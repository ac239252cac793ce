import type { ConnectionModel, ModelConnection } from '#shared/models/connections/connections.ts'

/** Returns a model of a connection, with defaults. */
export function aModel(given: Partial<ConnectionModel>): ConnectionModel {
  return {
    id: 'vllm/qwen3-32b',
    name: 'qwen3-32b',
    context_tokens: 131_072,
    max_output_tokens: null,
    input_price: 0.1,
    output_price: 0.3,
    offered: true,
    edited: false,
    fallback: null,
    ...given,
  }
}

/** Returns a stored connection, with defaults. */
export function aConnection(given: Partial<ModelConnection>): ModelConnection {
  return {
    id: crypto.randomUUID(),
    provider: 'vllm',
    name: 'vLLM, Lyon',
    kind: 'compatible',
    base_url: 'http://10.20.4.12:8000/v1',
    has_key: true,
    key_hint: '9f2c',
    keys: [{ id: 'first', hint: '9f2c', state: 'working', until: null }],
    requests_per_minute: null,
    tokens_per_minute: null,
    one_at_a_time: false,
    first_token_seconds: null,
    source: 'database',
    fixed_by: [],
    enabled: true,
    status: 'ok',
    status_detail: null,
    lists_models: true,
    model_ids: [],
    api_version: null,
    entra: null,
    options: {},
    models: [aModel({})],
    updated_at: '2026-11-21T08:00:00.000Z',
    ...given,
  }
}
