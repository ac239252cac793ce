/// <reference lib="webworker" />
import type { HighlightAnswer, HighlightRequest } from './highlight.ts'
import { createBlockReader } from './highlight-blocks.ts'

declare const self: DedicatedWorkerGlobalScope

const read = createBlockReader((answer: HighlightAnswer) => self.postMessage(answer))

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => read(data)
