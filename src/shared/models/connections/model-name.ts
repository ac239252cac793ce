/** Maximum characters of a `model_name`: a provider and its longest model id. */
export const MAX_MODEL_NAME = 400
