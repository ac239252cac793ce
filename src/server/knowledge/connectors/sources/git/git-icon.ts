export { GitBranch as default } from 'lucide-react'
