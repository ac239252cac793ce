import type { ProviderForm } from '#shared/models/connections/provider-form.ts'
import { anthropicForm } from '../../../src/server/models/providers/anthropic/anthropic-form.ts'
import { azureForm } from '../../../src/server/models/providers/azure/azure-form.ts'
import { bedrockForm } from '../../../src/server/models/providers/bedrock/bedrock-form.ts'
import { compatibleForm } from '../../../src/server/models/providers/compatible/compatible-form.ts'
import { openaiForm } from '../../../src/server/models/providers/openai/openai-form.ts'
import { vertexForm } from '../../../src/server/models/providers/vertex/vertex-form.ts'

/** The forms of kinds as the server sends them. */
export const forms = {
  openai: { kind: 'openai', ...openaiForm },
  anthropic: { kind: 'anthropic', ...anthropicForm },
  azure: { kind: 'azure', ...azureForm },
  bedrock: { kind: 'bedrock', ...bedrockForm },
  vertex: { kind: 'vertex', ...vertexForm },
  compatible: { kind: 'compatible', ...compatibleForm },
} satisfies Record<string, ProviderForm>
