import { useState } from 'react'
import { DEFAULT_PIPELINE, Pipeline } from '#shared/knowledge/documents/documents.ts'

const KEY = 'upload-pipeline'

/** The pipeline for the next uploads, stored in this browser. */
export function usePipeline(): [Pipeline, (pipeline: Pipeline) => void] {
  const [pipeline, setPipeline] = useState(readPipeline)
  const keep = (next: Pipeline) => {
    localStorage.setItem(KEY, next)
    setPipeline(next)
  }
  return [pipeline, keep]
}

function readPipeline(): Pipeline {
  return Pipeline.options.find((one) => one === localStorage.getItem(KEY)) ?? DEFAULT_PIPELINE
}
