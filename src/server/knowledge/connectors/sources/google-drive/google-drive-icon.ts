export { Triangle as default } from 'lucide-react'
