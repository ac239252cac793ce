/** Image options, the default first (ledger IM-03). */
export const imageQualities = ['auto', 'low', 'medium', 'high'] as const
export const imageSizes = ['auto', '1024x1024', '1536x1024', '1024x1536'] as const

/** Error when no image model is configured. Cards and the built-in model recognise this sentence. */
export const NO_IMAGE_MODEL =
  'No model that makes images is connected. An administrator can connect one on the page Models.'

/** Also accepts the older wording, which stored results contain. */
export const isNoImageModel = (error: string) => error.startsWith('No model that makes images is connected.')
