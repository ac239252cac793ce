export { SquareKanban as default } from 'lucide-react'
