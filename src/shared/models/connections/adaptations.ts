import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text } from '../../platform/primitives.ts'
import { MAX_MODEL_ID } from './model-name.ts'

/** Differences between a sent request and the intended one, because the provider refuses the intended one. */
export const AdaptationName = z.enum([
  'no_tools',
  'no_system',
  'no_images',
  'alternating',
  'single_calls',
  'short_ids',
  'echo_thoughts',
  'no_thoughts',
  'no_signatures',
  /** The context window is `value` tokens. */
  'window',
  /** The maximum answer is `value` tokens. */
  'output_limit',
  /** At most `value` tools are accepted. */
  'tool_limit',
  /** The schema of the tool `about` is reduced to its basic parts. */
  'plain_tool',
  'left_out_tool',
  /** A reasoning model that starts with its reasoning and marks only its end; with `value` 0, it does not always reason. */
  'thoughts_first',
  /** The parameter `about` is omitted or sent in another form. */
  'parameter',
  /** The last answer was empty or unreadable, and the model was asked again. */
  'asked_again',
  /** A part of the request, named by `about`, did not fit into the window. */
  'shortened',
])
export type AdaptationName = z.infer<typeof AdaptationName>

export const Adaptation = z.object({
  name: AdaptationName,
  value: z.optional(z.number()),
  about: z.optional(z.string()),
})
export type Adaptation = z.infer<typeof Adaptation>

/** An adaptation applied to every request to a model until it expires. */
export const LearnedAdaptation = z.extend(Adaptation, {
  model_id: z.string(),
  /** The provider's sentence from which it was learned. */
  said: z.string(),
  learned_at: z.string(),
  expires_at: z.string(),
})
export type LearnedAdaptation = z.infer<typeof LearnedAdaptation>

const Params = z.object({ connectionId: text(0, 100) })

export const listAdaptations = route({
  method: 'GET',
  path: '/model-connections/:connectionId/adaptations',
  access: 'super_admin',
  may: 'manage connection',
  summary: 'What refusals taught about the models of a connection',
  params: Params,
  pages: 1_000,
  answer: z.array(LearnedAdaptation),
})

export const forgetAdaptations = route({
  method: 'DELETE',
  path: '/model-connections/:connectionId/adaptations',
  access: 'super_admin',
  may: 'manage connection',
  summary: 'Forget what refusals taught about the models of a connection',
  params: Params,
  query: z.object({ model_id: z.optional(text(0, MAX_MODEL_ID)) }),
  answer: Notice,
})
