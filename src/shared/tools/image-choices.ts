/** What a person may choose for images, the default first (ledger IM-03). */
export const imageQualities = ['auto', 'low', 'medium', 'high'] as const
export const imageSizes = ['auto', '1024x1024', '1536x1024', '1024x1536'] as const

/** Why no image can be made where nothing makes images; cards and the built-in model know it by these words. */
export const NO_IMAGE_MODEL =
  'No model that makes images is connected. An administrator connects OpenAI, Google or a compatible server on the page Models, or names one in ATRIUM_IMAGE_MODEL.'
