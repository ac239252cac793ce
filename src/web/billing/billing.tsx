export { parseDecimal } from './money.ts'
