import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'

/** A server that speaks the compatible dialect at a known address. */
export type Preset = { name: string; baseUrl: string; needsKey: boolean }

/** Providers on the internet first, then servers on this machine at their usual ports. */
export const presets: readonly Preset[] = [
  { name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', needsKey: true },
  { name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', needsKey: true },
  { name: 'xAI', baseUrl: 'https://api.x.ai/v1', needsKey: true },
  { name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', needsKey: true },
  { name: 'Together', baseUrl: 'https://api.together.xyz/v1', needsKey: true },
  { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', needsKey: true },
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', needsKey: false },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', needsKey: false },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', needsKey: false },
]

/** Returns the preset whose address a draft has, if any. */
export function presetOf({ kind, baseUrl }: { kind: ConnectionKind; baseUrl: string }): Preset | undefined {
  return kind === 'compatible' ? presets.find((preset) => preset.baseUrl === baseUrl.trim()) : undefined
}
