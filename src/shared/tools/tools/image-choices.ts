/** What a person may choose for images, the default first (ledger IM-03). */
export const imageQualities = ['auto', 'low', 'medium', 'high'] as const
export const imageSizes = ['auto', '1024x1024', '1536x1024', '1024x1536'] as const

/** Why no image can be made where nothing makes images; cards and the built-in model know it by these words. */
export const NO_IMAGE_MODEL =
  'No model that makes images is connected. An administrator can connect one on the page Models.'

/** The same as it was said before; stored results have it. */
export const isNoImageModel = (error: string) => error.startsWith('No model that makes images is connected.')
