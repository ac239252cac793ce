/** The languages pictures of text are read in, as tesseract calls them. */
export const ocrLanguages = ['eng', 'fra']
