export { BookText as default } from 'lucide-react'
