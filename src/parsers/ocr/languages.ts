/** The languages of OCR, as tesseract calls them. */
export const ocrLanguages = ['eng', 'fra']
