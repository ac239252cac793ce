/** OCR languages by their tesseract codes. */
export const ocrLanguages = ['eng', 'fra']
