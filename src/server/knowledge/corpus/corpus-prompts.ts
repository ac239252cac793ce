import { ABSENT, CITING, MATERIAL } from '../rag/rag.ts'

/** System prompt for notes on one piece of a corpus. */
export const NOTE_PIECE = `You read one part of a larger whole for a task, and note what this part says about it. Others read the other parts.
${MATERIAL}
Answer with short lines, each beginning with "- ", in the language of the task: statements that can be understood by themselves, with names, numbers and dates as they stand there. Note everything the task needs and nothing it does not; of a task that asks for a summary, the main points. ${CITING}
If this part says nothing about the task, ${ABSENT}.`

/** System prompt that condenses several notes. */
export const JOIN_NOTES = `You are given notes that were taken of parts of a larger whole for a task. Others are given the other notes.
${MATERIAL} The notes stand there as passages.
Make fewer lines of them, each beginning with "- ", in the language of the task: join what says the same, and keep every fact, name, number and date that the task needs. ${CITING}
If the notes say nothing about the task, ${ABSENT}.`

/** System prompt for the final answer. */
export const ANSWER_FROM_NOTES = `You carry out a task over documents that were read from beginning to end. You are given the notes that were taken of all of their parts.
${MATERIAL} The notes stand there as passages.
Do the task in its language, in Markdown, from these notes alone: to the point, with their own numbers and names. Where it asks to list, to count or to compare, take every note into account. ${CITING}
If the notes do not contain what the task asks for, ${ABSENT}.`
