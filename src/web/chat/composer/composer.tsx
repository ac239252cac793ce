export { AgentBadge, AgentMenu } from './agent-menu.tsx'
export { comparedIn } from './compared.ts'
export {
  giveDraft,
  hasOwnDraft,
  keepDraft,
  moveDraft,
  noteOpening,
  readDraft,
  sendEarly,
  takeEarly,
} from './drafts.ts'
export { ModelChoice } from './lazy-model-choice.tsx'
export { Composer, type ComposerHandle, type ComposerSlash } from './message-field.tsx'
export { modelOf } from './model-list.ts'
export { ModelPicker } from './model-picker.tsx'
export { TuningMenu } from './tuning-menu.tsx'
export { useComposerFocus } from './use-composer-focus.ts'
export { useGlide } from './use-glide.ts'
export { useModel } from './use-model.ts'
