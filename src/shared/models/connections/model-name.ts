/** Maximum characters of a model id, as its server names it. */
export const MAX_MODEL_ID = 300

/** Maximum characters of a `model_name`: a provider and its longest model id. */
export const MAX_MODEL_NAME = 400
