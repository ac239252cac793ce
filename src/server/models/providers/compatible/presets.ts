import type { ProviderForm } from '#shared/models/connections/provider-form.ts'

/** Providers on the internet first, then servers on this machine at their usual ports. */
export const presets: ProviderForm['presets'] = [
  { name: 'Mistral', base_url: 'https://api.mistral.ai/v1', needs_key: true },
  { name: 'DeepSeek', base_url: 'https://api.deepseek.com/v1', needs_key: true },
  { name: 'xAI', base_url: 'https://api.x.ai/v1', needs_key: true },
  { name: 'Groq', base_url: 'https://api.groq.com/openai/v1', needs_key: true },
  { name: 'Together', base_url: 'https://api.together.xyz/v1', needs_key: true },
  { name: 'OpenRouter', base_url: 'https://openrouter.ai/api/v1', needs_key: true },
  { name: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', needs_key: false },
  { name: 'LM Studio', base_url: 'http://127.0.0.1:1234/v1', needs_key: false },
  { name: 'llama.cpp', base_url: 'http://127.0.0.1:8080/v1', needs_key: false },
  { name: 'vLLM', base_url: 'http://127.0.0.1:8000/v1', needs_key: false },
]
