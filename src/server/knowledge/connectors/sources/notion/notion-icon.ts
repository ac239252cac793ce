export { NotebookText as default } from 'lucide-react'
