export { DeputyQuestions } from './deputies/deputy-questions.tsx'
