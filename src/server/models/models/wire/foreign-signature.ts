/** The documented signature of calls that another model made. Gemini 3 takes no call without one. */
export const FOREIGN_SIGNATURE = 'skip_thought_signature_validator'

/** Returns whether a model takes no call without a signature. */
export const wantsSignatures = (model: string) => /gemini-(?![12]\b)\d/i.test(model)
